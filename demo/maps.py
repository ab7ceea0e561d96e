"""The maps of the invented game: what the first team's side is truly worth there, and which a player likes. Pure."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["MAPS", "SIDES", "map_preferences", "side_worth"]

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
_LIKES, _REFUSES = (0, 0, 0, 1, 1, 2), (0, 0, 0, 1)  # so many of a queue's maps, by lot
_FEWEST = 3  # maps: of these some are left to any two players


def side_worth(name: str) -> float:
    """What the first team's side is worth on a map; nothing on one that only an operator knows."""
    return SIDES.get(name, 0.0)


def map_preferences(player: str, maps: Sequence[str]) -> dict[str, Any]:
    """What a player, by the id in the game, asks of a queue with these maps: always the same. Many take any map."""
    if len(maps) < _FEWEST:
        return {}
    luck = random.Random(f"maps:{player}")  # noqa: S311 - a simulation, repeatable
    ranked = luck.sample(sorted(maps), len(maps))
    like, veto = ranked[: luck.choice(_LIKES)], ranked[len(maps) - luck.choice(_REFUSES) :]
    wished = {kind: names for kind, names in (("like", like), ("veto", veto)) if names}
    return {"maps": wished} if wished else {}
