"""How matches end: confirmed, disputed, aborted or abandoned. Every ending frees the players.

Whoever calls holds the matches' rows, in a transaction. Locks are taken in one order everywhere: the ladder's lock
where it is needed, the match's row, its participants.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from events.live import tell
from events.outbox import publish_many
from foundation import clock
from foundation.wakeups import wake
from ratings.agreement import Said
from ratings.models import Match, MatchState
from ratings.results import Result

__all__ = ["Ending", "Seat", "announce", "end_match", "end_matches", "lock_match", "read_seats"]

_SEATS = """
SELECT seat.match_id, seat.player_id, seat.team, coalesce(report.outcome, ''), coalesce(report.left_early, false),
       seat.rank
FROM ratings_participant AS seat
LEFT JOIN ratings_report AS report ON report.match_id = seat.match_id AND report.player_id = seat.player_id
WHERE seat.match_id = ANY(%(matches)s)
"""
# Ranks and scores of all matches stand in one row each; `start` is where those of a match begin.
_END = """
WITH given AS (
    SELECT * FROM unnest(%(matches)s::bigint[], %(states)s::text[], %(starts)s::int[], %(maps)s::text[],
                         %(ends)s::timestamptz[], %(confirmed)s::timestamptz[])
    AS given (match, state, start, map, ended_at, confirmed_at)
), ended AS (
    UPDATE ratings_match AS match
    SET state = given.state, due_at = NULL, map = given.map, ended_at = given.ended_at,
        confirmed_at = given.confirmed_at
    FROM given WHERE match.id = given.match
)
UPDATE ratings_participant AS seat
SET rank = (%(ranks)s::int[])[given.start + seat.team], score = (%(scores)s::float8[])[given.start + seat.team],
    left_early = seat.left_early OR seat.player_id = ANY(%(left)s::bigint[]), playing = false
FROM given WHERE seat.match_id = given.match
RETURNING seat.player_id
"""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player of a match, what he has said of it, and the rank of the team once there is one."""

    player_id: int
    said: Said
    rank: int | None


@dataclass(frozen=True, slots=True)
class Ending:
    """What becomes of a locked match; with a result it is confirmed."""

    match: Match
    state: MatchState
    result: Result | None = None


def lock_match(match_id: int) -> tuple[Match, datetime]:
    """Lock a match, with its ladder beside it, and tell the time. Raises Match.DoesNotExist."""
    locked = Match.objects.select_for_update(of=("self",), no_key=True).select_related("ladder")
    match = locked.annotate(now=clock.now_in_query()).get(pk=match_id)
    return match, match.now


def read_seats(match_ids: Collection[int]) -> dict[int, list[Seat]]:
    """Who sits in these matches, and said what; by match."""
    seats: dict[int, list[Seat]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_SEATS, {"matches": list(match_ids)})
        for match, player, team, outcome, left_early, rank in cursor.fetchall():
            seats[match].append(Seat(player, Said(team, outcome, left_early), rank))
    return seats


def end_match(match: Match, state: MatchState, now: datetime, result: Result | None = None) -> None:
    """End one match."""
    end_matches([Ending(match, state, result)], now)


def end_matches(endings: Sequence[Ending], now: datetime) -> None:
    """End matches in one statement, write the facts down, and tell whoever is concerned once this has committed.

    `result.left` adds to what is noted already.
    """
    for ending in endings:
        _put(ending, now)
    with connection.cursor() as cursor:
        cursor.execute(_END, _columns(endings))
        players = [player for (player,) in cursor.fetchall()]
    for state in dict.fromkeys(ending.state for ending in endings):
        ended = [ending.match for ending in endings if ending.state == state]
        announce(ended, state.value, players if len(ended) == len(endings) else [])
    if any(ending.state == MatchState.CONFIRMED for ending in endings):
        transaction.on_commit(wake_rating, robust=True)


def announce(matches: Sequence[Match], kind: str, players: Iterable[int]) -> None:
    """Write the facts down, and tell the pages of the players, the ladders and the site after commit."""
    facts = [{"match": match.pk, "ladder": match.ladder_id} for match in matches]
    publish_many(f"match.{kind}", facts)
    tell_pages(matches, kind, players)


def tell_pages(matches: Sequence[Match], kind: str, players: Iterable[int]) -> None:
    """Tell the pages alone: something that is no fact of its own has changed."""
    ladders = [f"ladder:{pk}" for pk in sorted({match.ladder_id for match in matches})]
    ids = {"match": matches[0].pk} if len(matches) == 1 else {}
    tell([*(f"player:{player}" for player in players), *ladders, "site"], f"match.{kind}", **ids)


def wake_rating() -> None:
    """Let a worker look at what there is to rate."""
    from ratings.tasks import rate_due_tracks

    wake(rate_due_tracks)


def _put(ending: Ending, now: datetime) -> None:
    """Bring the object up to what the row will be."""
    match, result = ending.match, ending.result
    match.state, match.due_at = ending.state, None
    if result is not None:
        match.map = result.map or match.map
        match.ended_at = max(result.ended_at or match.ended_at or now, match.played_at)
        match.confirmed_at = now


def _columns(endings: Sequence[Ending]) -> dict[str, Any]:
    ranks: list[int] = []
    scores: list[float | None] = []
    starts: list[int | None] = []
    for result in (ending.result for ending in endings):
        starts.append(None if result is None else len(ranks) + 1)
        if result is not None:
            ranks += result.ranks
            scores += result.scores or [None] * len(result.ranks)
    return {
        "matches": [ending.match.pk for ending in endings],
        "states": [ending.state.value for ending in endings],
        "starts": starts,
        "maps": [ending.match.map for ending in endings],
        "ends": [ending.match.ended_at for ending in endings],
        "confirmed": [ending.match.confirmed_at for ending in endings],
        "ranks": ranks,
        "scores": scores,
        "left": sorted(pk for ending in endings if ending.result for pk in ending.result.left),
    }
