"""Something that two must have in common: sets of up to 62, as bits."""

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Shared"]

ANYTHING = (1 << 62) - 1
_DROPPED = 1 << 62  # what those have in common who have stopped asking


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared(Condition, ABC):
    """Distance 1 where the sets in the trait have nothing in common; an empty set fits any."""

    trait: ClassVar[str]
    is_mutual: ClassVar[bool] = True

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        mine, theirs = sets_of(tickets, self.trait, one), sets_of(tickets, self.trait, other)
        apart: Floats = ((mine & theirs) == 0).astype(np.float64)
        return apart

    def is_idle(self, tickets: Tickets) -> bool:
        return self.trait not in tickets.traits or not tickets.traits[self.trait].any()

    def classes(self, tickets: Tickets) -> Ints | None:
        if self.use is Use.PREFER:
            return None
        sets = sets_of(tickets, self.trait, np.arange(len(tickets)))
        return np.where(self.has_dropped(tickets), sets | _DROPPED, sets)


def sets_of(tickets: Tickets, trait: str, positions: Ints) -> Ints:
    """What the tickets have named; everything, where that is nothing."""
    if trait not in tickets.traits:
        return np.full(len(positions), ANYTHING)
    named = tickets.traits[trait].take(positions)
    return np.where(named == 0, ANYTHING, named)
