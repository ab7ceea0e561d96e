"""Annulling in an arena, and what a ladder's tracks say in words that hold for another ladder too."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from foundation.postgresql.locks import Lock, hold
from ratings.models import Match, MatchState, RatingTrack, TrackState
from ratings.runs.replay import request_replays
from ratings.tasks import rate_due_tracks
from tests.ratings.arena import LATE, LEDGER, Arena, Played, late, make_arena

__all__ = [
    "annul",
    "clean_arena",
    "live",
    "rate_all",
    "rated_arena",
    "replays",
    "story_of",
]


def annul(match: Match) -> list[int]:
    """What a match that has its place goes through when it is annulled; gives the replays."""
    with transaction.atomic():
        hold(Lock.LADDER, match.ladder_id)
        match.refresh_from_db()
        match.state = MatchState.ANNULLED
        match.save(update_fields=["state"])
        assert match.ladder_seq is not None
        return request_replays(ladder_id=match.ladder_id, from_seq=match.ladder_seq)


def rate_all(*, day: float = LATE) -> None:
    """What a worker does so many days after START."""
    with late(day):
        rate_due_tracks()


def live(arena: Arena, system: str) -> RatingTrack:
    """The live track of a system: the only one."""
    return RatingTrack.objects.get(ladder=arena.ladder, system=system, state=TrackState.LIVE)


def replays(arena: Arena) -> int:
    """How many are under way."""
    return RatingTrack.objects.filter(ladder=arena.ladder, state=TrackState.REPLAY).count()


def clean_arena(players: int, history: Sequence[Played], **rules: Any) -> Arena:
    """A ladder on which only these matches were ever played, with an Elo and a Glicko track; not rated yet."""
    arena = make_arena(players, **{"slug": "clean", **rules})
    arena.track("elo", shown=True)
    arena.track("glicko", days=5)
    arena.play(*history)
    return arena


def rated_arena(players: int, history: Sequence[Played]) -> Arena:
    """A ladder like a clean one, rated: the other to compare that with."""
    arena = clean_arena(players, history, slug="go")
    rate_all()
    return arena


def story_of(arena: Arena, track: RatingTrack) -> dict[str, Any]:
    """Everything a track says, to the bit: players by number, matches by how many counted before them."""
    track.refresh_from_db()
    numbers = {player.pk: number for number, player in enumerate(arena.players)}
    counting = Match.objects.filter(ladder=arena.ladder, state=MatchState.CONFIRMED)
    places = counting.order_by("ladder_seq").values_list("ladder_seq", flat=True)
    order: dict[int | None, int | None] = {seq: place for place, seq in enumerate(places)}
    order[None] = None
    ratings = track.ratings.values_list(
        "player_id", "value", "deviation", "volatility", "as_of", "games", "counted", "wins", "draws",
        "losses", "leaves", "status", "last_played_at",
    )  # fmt: skip
    ledger = track.changes.values_list("match__ladder_seq", "period__number", "at", *LEDGER)
    periods = track.periods.order_by("number").values_list(
        "first_seq", "last_seq", "number", "version__number", "starts_at", "ends_at", "games", "players",
        "new_players", "mean", "spread",
    )  # fmt: skip
    at_once = track.period_days is None
    grown = track.pool_grown_from
    return {
        "ratings": sorted((numbers[row[0]], *row[1:]) for row in ratings),
        "ledger": sorted(
            ((order[row[0]], row[1], row[2], numbers[row[3]], *row[4:]) for row in ledger), key=repr
        ),
        "periods": [(order[row[0]], order[row[1]], *row[2:]) for row in periods],
        "grown": order[grown] if at_once and grown is not None else grown,
        "calendar": (track.closed_periods, track.starts_at),
    }
