"""Where the invented game is played, and what the first team's side is truly worth there. Pure."""

from collections.abc import Mapping

__all__ = ["MAPS", "SIDES", "side_worth"]

# In points of each player of the first team. Nobody is told: the site has to find it out from the results.
SIDES: Mapping[str, float] = {
    "Salt Mill": 0.0,
    "Old Harbour": 30.0,
    "Glass Orchard": 60.0,
    "Bell Tower": 120.0,
    "Drowned Road": 45.0,
    "Ninth Terrace": 15.0,
}
MAPS = tuple(SIDES)


def side_worth(name: str) -> float:
    """What the first team's side is worth on a map; nothing on one that only an operator knows."""
    return SIDES.get(name, 0.0)
