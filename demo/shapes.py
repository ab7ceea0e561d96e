"""What a match looks like on each of the demo's ladders. Pure."""

from dataclasses import dataclass

__all__ = ["DUEL", "FOUR", "PAIRS", "SHAPES", "Shape"]


@dataclass(frozen=True, slots=True)
class Shape:
    """So many teams of so many players each."""

    teams: int
    size: int

    @property
    def players(self) -> int:
        """How many take part."""
        return self.teams * self.size


DUEL, PAIRS, FOUR = Shape(2, 1), Shape(2, 2), Shape(4, 1)
# In the order of the ladders: duels, blitz, casual, two against two, everyone for themselves.
SHAPES = (DUEL, DUEL, DUEL, PAIRS, FOUR)
