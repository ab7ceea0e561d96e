"""How a match ends: confirmed, disputed, aborted, abandoned or annulled. Every ending frees the players.

Whoever calls holds the match's row, in a transaction. Locks are taken in one order everywhere: the ladder's lock where
it is needed, the match's row, its participants.
"""

from datetime import datetime
from typing import Any

from django.db import connection, transaction

from events.live import tell
from events.outbox import publish
from foundation.wakeups import wake
from ratings.models import Match, MatchState, Participant
from ratings.results import Result

__all__ = [
    "announce",
    "close_without_result",
    "confirm",
    "free_players",
    "lock_match",
    "wake_rating",
]

_PLACE = """
UPDATE ratings_participant
SET rank = (%(ranks)s::int[])[team + 1],
    score = coalesce((%(scores)s::float8[])[team + 1], score),
    left_early = left_early OR player_id = ANY(%(left)s::bigint[]),
    playing = false
WHERE match_id = %(match)s
"""


def lock_match(match_id: int) -> Match:
    """Lock a match, with its ladder read beside it. Raises Match.DoesNotExist. Call it in a transaction."""
    locked = Match.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("ladder").get(pk=match_id)


def confirm(match: Match, result: Result, now: datetime) -> Match:
    """Let the result count: the match waits for its place in the sequence, and its players are free."""
    given: dict[str, Any] = {
        "match": match.pk,
        "ranks": list(result.ranks),
        "scores": None if result.scores is None else list(result.scores),
        "left": sorted(result.left),
    }
    with connection.cursor() as cursor:
        cursor.execute(_PLACE, given)
    match.map = result.map or match.map
    match.ended_at = max(result.ended_at or match.ended_at or now, match.played_at)
    match.confirmed_at = now
    _end(match, MatchState.CONFIRMED)
    transaction.on_commit(wake_rating, robust=True)
    return match


def close_without_result(match: Match, state: MatchState, now: datetime) -> Match:
    """End a match as disputed, aborted or abandoned: unrated, its players free."""
    free_players(match)
    if match.ended_at is None and state != MatchState.ABANDONED:
        match.ended_at = max(now, match.played_at)
    _end(match, state)
    return match


def free_players(match: Match, **which: Any) -> None:
    """Let the players of the match, or some of them, play elsewhere."""
    Participant.objects.filter(match=match, playing=True, **which).update(playing=False)


def announce(match: Match, kind: str) -> None:
    """Write the fact down, and tell the pages of the players, the ladder and the site."""
    publish(f"match.{kind}", match=match.pk, ladder=match.ladder_id)
    players = Participant.objects.filter(match=match).values_list("player_id", flat=True)
    topics = [*(f"player:{player}" for player in players), f"ladder:{match.ladder_id}", "site"]
    tell(topics, f"match.{kind}", match=match.pk)


def _end(match: Match, state: MatchState) -> None:
    match.state, match.due_at = state, None
    match.save(update_fields=["state", "due_at", "map", "ended_at", "confirmed_at"])
    announce(match, state.value)


def wake_rating() -> None:
    """Let a worker look at what there is to rate."""
    from ratings.tasks import rate_due_tracks

    wake(rate_due_tracks)
