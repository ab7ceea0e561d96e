"""A large random history, taken in file by file, against a plain reading of the rules."""

import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest

from ratings.models import Match
from tests.ratings.match_files import FileRow, file_of, sequence, take_in

pytestmark = pytest.mark.django_db

ROWS = 2_000


def _random_rows(seed: int) -> list[FileRow]:
    """Few players and few days, so that rows repeat; not in order of their dates."""
    draw = random.Random(seed)
    players = [f"player {number}" for number in range(12)]
    rows = []
    for number in range(ROWS):
        a, b = draw.sample(players, 2)
        day = date(2015, 1, 1) + timedelta(days=number // 20 + draw.randint(-5, 5))
        rows.append(FileRow(day.isoformat(), a, b, draw.choice(["1", "0.5", "0"])))
    return rows


def _count_time(rows: list[FileRow]) -> list[datetime]:
    """Return for which time each row counts: its date, but never before a row ahead of it."""
    counted, latest = [], datetime.min.replace(tzinfo=UTC)
    for row in rows:
        latest = max(latest, datetime.fromisoformat(row.date).replace(tzinfo=UTC))
        counted.append(latest)
    return counted


def _records(rows: list[tuple[str, str, str, float]]) -> Counter[tuple[str, float]]:
    """Count by player and outcome: 1 won, 0.5 drawn, 0 lost."""
    found: Counter[tuple[str, float]] = Counter()
    for _day, a, b, score in rows:
        found[a, score] += 1
        found[b, 1 - score] += 1
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_a_growing_history_is_taken_in_as_one(seed: int) -> None:
    rows = _random_rows(seed)
    cuts = [*sorted(random.Random(seed).sample(range(ROWS), 2)), ROWS]
    assert [take_in(file_of(rows[:cut])).rows for cut in cuts] == cuts

    naive = [(row.date, row.a, row.b, float(row.score)) for row in rows]
    found = sequence()
    assert found == naive
    assert _records(found) == _records(naive)

    matches = Match.objects.order_by("ladder_seq")
    assert list(matches.values_list("ladder_seq", flat=True)) == list(range(1, ROWS + 1))
    assert list(matches.values_list("counts_at", flat=True)) == _count_time(rows)
    assert len(set(matches.values_list("external_id", flat=True))) == ROWS
