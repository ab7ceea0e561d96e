"""The ladder's sequence."""

from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratings.models import Match, MatchState
from ratings.runs.sequence import count_until, ladders_with_waiting_matches, sequence_confirmed
from tests.ratings.arena import DAY, START, Arena, Played, make_arena

pytestmark = pytest.mark.django_db


def sequence(arena: Arena) -> list[Match]:
    return list(Match.objects.filter(ladder=arena.ladder).order_by("ladder_seq", "id"))


def test_follows_the_order_of_confirmation() -> None:
    arena = make_arena()
    late, early = arena.play(Played(2, 0, 1, 1), Played(1, 2, 3, 1))
    assert sequence_confirmed(arena.ladder.pk) == 2
    assert [match.pk for match in sequence(arena)] == [early.pk, late.pk]
    assert [match.counts_at for match in sequence(arena)] == [START + DAY, START + 2 * DAY]
    arena.ladder.refresh_from_db()
    assert (arena.ladder.last_seq, arena.ladder.counted_until) == (2, START + 2 * DAY)


def test_ties_follow_the_id() -> None:
    arena = make_arena()
    matches = arena.play(*[Played(1, 0, 1, 1)] * 5)
    sequence_confirmed(arena.ladder.pk)
    assert [match.pk for match in sequence(arena)] == [match.pk for match in matches]


def test_a_late_result_counts_after_what_is_counted() -> None:
    arena = make_arena()
    arena.play(Played(5, 0, 1, 1))
    sequence_confirmed(arena.ladder.pk)
    (late,) = arena.play(Played(1, 0, 1, 1))
    sequence_confirmed(arena.ladder.pk)
    late.refresh_from_db()
    assert (late.ladder_seq, late.counts_at) == (2, START + 5 * DAY)


def test_nothing_counts_into_a_time_that_is_closed() -> None:
    arena = make_arena()
    count_until(ladder_id=arena.ladder.pk, moment=START + 30 * DAY)
    count_until(ladder_id=arena.ladder.pk, moment=START + 20 * DAY)
    (match,) = arena.play(Played(10, 0, 1, 1))
    sequence_confirmed(arena.ladder.pk)
    match.refresh_from_db()
    assert match.counts_at == START + 30 * DAY


def test_again_changes_nothing() -> None:
    arena = make_arena()
    arena.play(Played(1, 0, 1, 1), Played(2, 0, 1, 0))
    assert ladders_with_waiting_matches() == [arena.ladder.pk]
    sequence_confirmed(arena.ladder.pk)
    before = list(Match.objects.values_list("pk", "ladder_seq", "counts_at"))
    assert sequence_confirmed(arena.ladder.pk) == 0
    assert list(Match.objects.values_list("pk", "ladder_seq", "counts_at")) == before
    assert ladders_with_waiting_matches() == []


def test_only_confirmed_matches_get_a_place() -> None:
    arena = make_arena()
    match, _ = arena.play(Played(1, 0, 1, 1), Played(2, 0, 1, 0))
    Match.objects.filter(pk=match.pk).update(state=MatchState.DISPUTED)
    assert sequence_confirmed(arena.ladder.pk) == 1
    match.refresh_from_db()
    assert match.ladder_seq is None


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(st.integers(0, 50), max_size=6), min_size=1, max_size=6))
def test_time_and_sequence_grow_together(batches: list[list[int]]) -> None:
    with transaction.atomic():
        arena = make_arena()
        for batch in batches:
            arena.play(*[Played(day, 0, 1, 1) for day in batch])
            sequence_confirmed(arena.ladder.pk)
        found = sequence(arena)
        assert [match.ladder_seq for match in found] == list(range(1, len(found) + 1))
        times = [match.counts_at for match in found if match.counts_at]
        assert times == sorted(times)
        assert all(m.confirmed_at and m.counts_at and m.counts_at >= m.confirmed_at for m in found)
        arena.ladder.refresh_from_db()
        assert (arena.ladder.counted_until or START) - START <= timedelta(days=50)
        transaction.set_rollback(True)
