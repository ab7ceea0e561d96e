"""A map to play on."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["MapShared"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MapShared(Condition):
    """Distance 1 where the two together have vetoed every map.

    maps  how many the queue has, 1..62; trait `maps_vetoed`: int64 bits, map 0 is the lowest
    """

    is_mutual: ClassVar[bool] = True

    maps: int

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        if "maps_vetoed" not in tickets.traits:
            return np.zeros(len(one))
        vetoed = tickets.traits["maps_vetoed"]
        left = ~(vetoed.take(one) | vetoed.take(other)) & ((1 << self.maps) - 1)
        nothing: Floats = (left == 0).astype(np.float64)
        return nothing

    def is_idle(self, tickets: Tickets) -> bool:
        return "maps_vetoed" not in tickets.traits or not tickets.traits["maps_vetoed"].any()
