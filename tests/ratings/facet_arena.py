"""Matches on maps and with characters, and the same matches with each competitor as a player of its own."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ratings.models import Facet, Match, Participant, RatingTrack
from tests.ratings.arena import LEDGER, Arena, Played
from tests.ratings.squads import Fought, SquadArena

__all__ = ["VALUES", "alias", "choose", "dress", "picks_of", "story_of"]

# The empty one too: a match without a map, a player without a character. Sorted as runs sort them: sums over everyone
# then have the same bits.
VALUES = ("", "Ape", "Zeal", "Élan")

Picks = Sequence[Sequence[str]]  # by match, by seat


def choose(kind: str, matches: int, seats: int, *, seed: int = 4) -> Picks:
    """The value of each seat of each match; of maps the same for all seats."""
    random = np.random.default_rng(seed)
    if kind == Facet.MAP:
        return [[str(name)] * seats for name in random.choice(VALUES, matches)]
    return [[str(name) for name in row] for row in random.choice(VALUES, (matches, seats))]


def dress(kind: str, matches: Sequence[Match], picks: Picks) -> None:
    """Give matches their maps, or players their characters."""
    for match, row in zip(matches, picks, strict=True):
        if kind == Facet.MAP:
            Match.objects.filter(pk=match.pk).update(map=row[0])
            continue
        seats = match.participants.order_by("team", "pk")
        for seat, name in zip(seats, row, strict=True):
            Participant.objects.filter(pk=seat.pk).update(character=name)


def alias(history: Sequence[Any], picks: Picks) -> list[Any]:
    """The same matches, competitor (player, value) as player number player · values + value."""
    return [_renamed(one, row) for one, row in zip(history, picks, strict=True)]


def _renamed(one: Any, row: Sequence[str]) -> Any:
    names = [VALUES.index(name) for name in row]
    if isinstance(one, Played):
        first, second = (
            who * len(VALUES) + name
            for who, name in zip((one.first, one.second), names, strict=True)
        )
        return Played(one.day, first, second, one.score)
    members = iter(names)
    teams = tuple(tuple(who * len(VALUES) + next(members) for who in team) for team in one.teams)
    return Fought(one.day, teams, one.ranks, one.scores, one.minutes)


def story_of(arena: Arena | SquadArena, track: RatingTrack, *, apart: bool) -> tuple[Any, ...]:
    """Everything a track says, to the bit, by the numbers that `alias` gives to competitors."""
    track.refresh_from_db()
    numbers = {player.pk: number for number, player in enumerate(arena.players)}

    def number(row: Any) -> int:
        who, facet = numbers[row.pop("player_id")], row.pop("facet")
        assert apart or facet == ""
        return who * len(VALUES) + VALUES.index(facet) if apart else who

    places = {
        pk: place
        for place, pk in enumerate(
            track.ladder.matches.filter(state="confirmed")
            .order_by("ladder_seq")
            .values_list("pk", flat=True)
        )
    }
    ratings = track.ratings.values(
        "player_id", "facet", "value", "deviation", "volatility", "as_of", "games", "counted", "wins", "draws",
        "losses", "leaves", "status", "last_played_at",
    )  # fmt: skip
    ledger = track.changes.values("match_id", "period__number", "facet", *LEDGER)
    periods = track.periods.order_by("number").values_list(
        "number", "games", "players", "new_players", "mean", "spread"
    )
    return (
        sorted((number(row), *row.values()) for row in ratings),
        sorted(
            ((places.get(row.pop("match_id")), number(row), *row.values()) for row in ledger),
            key=repr,
        ),
        list(periods),
        (track.closed_periods, track.starts_at),
    )


def picks_of(picks: Picks, kept: Sequence[int]) -> Picks:
    """Those of some matches."""
    return [picks[place] for place in kept]
