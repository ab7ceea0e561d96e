"""What a match looks like on each of the demo's ladders. Pure."""

from dataclasses import dataclass

from demo.maps import MAPS

__all__ = ["DUEL", "FORMATS", "FOUR", "PAIRS", "QUICK", "DemoFormat"]


@dataclass(frozen=True, slots=True)
class DemoFormat:
    """So many teams of so many players each, on one of these maps; without any, the game does not tell them apart."""

    teams: int
    size: int
    maps: tuple[str, ...] = ()

    @property
    def players(self) -> int:
        """How many take part."""
        return self.teams * self.size


DUEL, QUICK = DemoFormat(2, 1, MAPS), DemoFormat(2, 1)
PAIRS, FOUR = DemoFormat(2, 2, MAPS[:4]), DemoFormat(4, 1)
# In the order of the ladders: duels, blitz, casual, two against two, everyone for themselves.
FORMATS = (DUEL, QUICK, QUICK, PAIRS, FOUR)
