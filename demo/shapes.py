"""What a match looks like on each of the demo's ladders. Pure."""

from dataclasses import dataclass

from demo.maps import MAPS

__all__ = ["DUEL", "FOUR", "PAIRS", "QUICK", "SHAPES", "Shape"]


@dataclass(frozen=True, slots=True)
class Shape:
    """So many teams of so many players each, on one of these maps; without any, the game does not tell them apart."""

    teams: int
    size: int
    maps: tuple[str, ...] = ()

    @property
    def players(self) -> int:
        """How many take part."""
        return self.teams * self.size


DUEL, QUICK = Shape(2, 1, MAPS), Shape(2, 1)
PAIRS, FOUR = Shape(2, 2, MAPS[:4]), Shape(4, 1)
# In the order of the ladders: duels, blitz, casual, two against two, everyone for themselves.
SHAPES = (DUEL, QUICK, QUICK, PAIRS, FOUR)
