"""Who took part in matches, and how it went for them: the form that tallies need, whatever the shape of a match."""

from dataclasses import dataclass
from typing import TypeAlias

from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Seats", "UnratableMatchError"]

Places: TypeAlias = Ints | slice


class UnratableMatchError(ValueError):
    """A confirmed match has not the ladder's teams, each with its players and one rank."""


@dataclass(frozen=True, slots=True, eq=False)
class Seats:
    """Arrays of one length, one element a seat.

    player  ids, or positions in a `State`        match  the places of their matches
    score   1 won, 0.5 shared the first place, 0 lost        left   whether the player left early
    """

    player: Ints
    match: Places
    score: Floats
    left: Bools
