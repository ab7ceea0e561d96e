"""Ratings by map or by character: which track of a ladder is shown, and what a player's ratings come to as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.models import Ladder, Rating

__all__ = ["Overall", "is_first_of_its_kind", "overall_of"]


@dataclass(frozen=True, slots=True)
class Overall:
    """The mean of a player's ratings, weighted by their games, and how many games that are."""

    value: float
    games: int


def is_first_of_its_kind(ladder: Ladder, facet: str) -> bool:
    """Whether none of the ladder's tracks of this facet (or of players as a whole) is shown yet."""
    return not ladder.tracks.filter(shown=True, facet=facet).exists()


def overall_of(ratings: Sequence[Rating]) -> Overall:
    """What ratings of one player come to as a whole. At least one of them, each with a game."""
    games = sum(rating.games for rating in ratings)
    return Overall(sum(rating.value * rating.games for rating in ratings) / games, games)
