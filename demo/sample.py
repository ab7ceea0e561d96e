"""A ladder of any size for trying things: simulated players, and matches one against one that only wait to be rated.

Unlike the demo's season it is made of columns, so that ten million matches take minutes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from demo.strength import draw_chance, expected
from foundation import clock
from foundation.postgresql.bulk import copy_in, to_micros
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from ratings.models import Ladder, Player
from ratings.players.enrol import add_players
from ratings.runs.sequence import sequence_confirmed

__all__ = ["MOST_MATCHES", "MOST_PLAYERS", "fill_ladder"]

MOST_PLAYERS, MOST_MATCHES = 5_000_000, 50_000_000
_PLAYERS_AT_ONCE, _MATCHES_AT_ONCE = 50_000, 200_000
_MEAN, _SPREAD = 1500.0, 300.0
# How often somebody plays, and how far a match is from an even one: a few play most, many a handful.
_ACTIVITY_SPREAD, _MATCHING_SPREAD = 1.5, 120.0
_DURATION = timedelta(minutes=10)

_STAGE = """
CREATE TEMPORARY TABLE sample_match (
    id int8 DEFAULT nextval(pg_get_serial_sequence('ratings_match', 'id')), number int8,
    began timestamptz, ended timestamptz, first int8, second int8, first_rank int8, second_rank int8
) ON COMMIT DROP
"""
# Keys are taken from rows that this command has just written or read. To look each of them up again, row by row, takes
# as long as storing does: a superuser, as of the servers that come with Evenmatch, need not.
_TRUST_KEYS = """
SELECT set_config('session_replication_role', 'replica', true) FROM pg_roles WHERE rolname = current_user AND rolsuper
"""
_MATCHES = """
INSERT INTO ratings_match
    (id, ladder_id, game_id, external_id, state, map, played_at, ended_at, confirmed_at, counts_at, ladder_seq, extra)
SELECT id, %(ladder)s, %(game)s, 'sample-' || %(ladder)s || '-' || number, 'confirmed', '', began, ended, ended,
       greatest(ended, %(counted_until)s), %(last_seq)s + row_number() OVER (ORDER BY number), '{}'
FROM sample_match ORDER BY number
"""
_PARTICIPANTS = """
INSERT INTO ratings_participant (match_id, player_id, team, rank, character, left_early)
SELECT id, player, team, rank, '', false
FROM sample_match
CROSS JOIN LATERAL (VALUES (first, 0, first_rank), (second, 1, second_rank)) AS played (player, team, rank)
ORDER BY number, team
"""
_COUNT = """
UPDATE ratings_ladder
SET last_seq = last_seq + %(matches)s, counted_until = greatest(counted_until, %(latest)s)
WHERE id = %(ladder)s
"""

Ints = NDArray[np.int64]
OnProgress = Callable[[int], None]


@dataclass(frozen=True, slots=True, eq=False)
class _Batch:
    """Matches in the order in which they ended; players by their position, ranks of both."""

    began: Ints
    first: Ints
    second: Ints
    first_rank: Ints
    second_rank: Ints


def fill_ladder(
    ladder: Ladder,
    *,
    players: int,
    matches: int,
    days: float,
    seed: int,
    on_players: OnProgress,
    on_matches: OnProgress,
) -> None:
    """Add `players` (at least 2) to the ladder's game, and `matches` of them over the last `days` to the ladder.

    Each batch is committed by itself: after a process that was killed, what there is can be rated like everything
    else. Rating follows separately. `on_players` and `on_matches` are called with how many there are so far.
    """
    random = np.random.default_rng(seed)
    for start in range(0, players, _PLAYERS_AT_ONCE):
        numbers = range(start + 1, min(start + _PLAYERS_AT_ONCE, players) + 1)
        add_players(ladder.game_id, [f"Sample {number}" for number in numbers])
        on_players(numbers[-1])
    known = Player.objects.filter(game=ladder.game_id).order_by("pk")
    ids = np.fromiter(known.values_list("pk", flat=True), dtype=np.int64)
    until = clock.now()
    done = 0
    for batch in _play(len(ids), matches, until=until, days=days, random=random):
        _store(ladder, batch, ids, number=done + 1)
        done += len(batch.began)
        on_matches(done)


def _play(
    players: int, matches: int, *, until: datetime, days: float, random: np.random.Generator
) -> Iterator[_Batch]:
    """Who meets whom and who wins: often those who play much, mostly those who are about as strong."""
    strength = random.normal(_MEAN, _SPREAD, players)
    chance = np.cumsum(random.lognormal(0.0, _ACTIVITY_SPREAD, players))
    length = int(days * 86_400e6)
    last = to_micros(until - _DURATION)
    for start in range(0, matches, _MATCHES_AT_ONCE):
        count = min(_MATCHES_AT_ONCE, matches - start)
        # Everybody who comes, in the order of how strong they seem today; neighbours meet. Whoever came twice in a row
        # meets the next one.
        came = np.searchsorted(chance, random.random(2 * count) * chance[-1])
        order = np.argsort(strength[came] + random.normal(0.0, _MATCHING_SPREAD, len(came)))
        first, second = came[order].reshape(-1, 2).T.copy()
        same = first == second
        second[same] = (second[same] + 1) % players
        turn = random.permutation(count)
        first, second = first[turn], second[turn]
        difference, luck = strength[first] - strength[second], random.random(count)
        drawn = draw_chance(difference)
        won = np.maximum(0.0, expected(difference) - drawn / 2)
        number = np.arange(start + 1, start + count + 1)
        yield _Batch(
            began=last - length + (number * (length / matches)).astype(np.int64),
            first=first,
            second=second,
            first_rank=(luck >= won + drawn).astype(np.int64),
            second_rank=(luck < won).astype(np.int64),
        )


@transaction.atomic
def _store(ladder: Ladder, batch: _Batch, ids: Ints, *, number: int) -> None:
    """Add matches at the end of the ladder's sequence, as an import does."""
    hold_firmly(Lock.LADDER, ladder.pk)
    sequence_confirmed(ladder.pk)
    ladder.refresh_from_db()
    count = len(batch.began)
    ended = batch.began + _DURATION // timedelta(microseconds=1)
    with connection.cursor() as cursor:
        cursor.execute(_STAGE)
        copy_in(
            "sample_match",
            {
                "number": np.arange(number, number + count),
                "began": batch.began,
                "ended": ended,
                "first": ids[batch.first],
                "second": ids[batch.second],
                "first_rank": batch.first_rank,
                "second_rank": batch.second_rank,
            },
        )
        cursor.execute(_TRUST_KEYS)
        given = {
            "ladder": ladder.pk,
            "game": ladder.game_id,
            "last_seq": ladder.last_seq,
            "counted_until": ladder.counted_until,
        }
        cursor.execute(_MATCHES, given)
        cursor.execute(_PARTICIPANTS)
        cursor.execute("SELECT max(ended) FROM sample_match")
        (latest,) = cursor.fetchone()
        cursor.execute(_COUNT, {"ladder": ladder.pk, "matches": count, "latest": latest})
