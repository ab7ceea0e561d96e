"""Which maps a simulated player likes, and which one they never want to see: the same in every search. Pure."""

import random
from collections.abc import Sequence
from typing import Any

__all__ = ["wishes_of"]

_LIKES, _REFUSES = (0, 0, 0, 1, 1, 2), (0, 0, 0, 1)  # so many of a queue's maps, by lot
_FEWEST = 3  # maps: of these some are left to any two players


def wishes_of(player: str, maps: Sequence[str]) -> dict[str, Any]:
    """What a player, by the id in the game, wishes of a queue with these maps. Many take any map as it comes."""
    if len(maps) < _FEWEST:
        return {}
    luck = random.Random(f"maps:{player}")  # noqa: S311 - a simulation, repeatable
    ranked = luck.sample(sorted(maps), len(maps))
    like, veto = ranked[: luck.choice(_LIKES)], ranked[len(maps) - luck.choice(_REFUSES) :]
    wished = {kind: names for kind, names in (("like", like), ("veto", veto)) if names}
    return {"maps": wished} if wished else {}
