"""The shape of a ladder's matches, and what a rating system must be told of them."""

from dataclasses import dataclass

from ratings.models import Ladder
from ratings.systems import System

__all__ = ["DUELS", "Shape", "shape_of"]

# What arrays of one against one cannot hold.
_OF_CONTESTS = frozenset({"score", "minutes"})


@dataclass(frozen=True, slots=True)
class Shape:
    """So many teams of so many players, and the columns that a match must have to be rated."""

    teams: int = 2
    size: int = 1
    needs: frozenset[str] = frozenset()

    @property
    def seats(self) -> int:
        """Players of a match."""
        return self.teams * self.size

    @property
    def are_duels(self) -> bool:
        """Whether matches are handed to the system as `Duels`: one against one, with nothing but points."""
        return self.seats == 2 and not self.needs & _OF_CONTESTS


DUELS = Shape()


def shape_of(ladder: Ladder, system: System) -> Shape:
    """The shape in which a system gets the matches of a ladder."""
    return Shape(ladder.team_count, ladder.team_size, frozenset(system.needs))
