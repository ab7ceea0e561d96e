"""The style of play that each wants of the other."""

from dataclasses import dataclass

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.conditions.shared import sets_of
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Style"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Style(Condition):
    """Distance 1 where `other` plays in no style that `one` wants.

    Traits, int64 bits: `styles`, in which a ticket plays, 0: in any; `styles_wanted`, 0: any.
    """

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        wanted, played = (
            sets_of(tickets, "styles_wanted", one),
            sets_of(tickets, "styles", other),
        )
        apart: Floats = ((wanted & played) == 0).astype(np.float64)
        return apart

    def is_idle(self, tickets: Tickets) -> bool:
        return any(
            name not in tickets.traits or not tickets.traits[name].any()
            for name in ("styles", "styles_wanted")
        )
