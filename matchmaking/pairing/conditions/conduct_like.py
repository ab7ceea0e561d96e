"""Players of bad conduct meet each other first."""

from dataclasses import dataclass

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.conditions.shared import has_dropped
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["ConductLike"]

_HIGH, _LOW = 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ConductLike(Condition):
    """Distance 1 from a ticket of a high conduct score to one of a low; none the other way.

    high  the least score that is high

    Trait `conduct`, float64, the score by now; 0: clean. The others are not bound: whom they would
    refuse refuses them already, until its time is over.
    """

    high: float = 1.0

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        is_high = self._is_high(tickets)
        return (is_high.take(one) & ~is_high.take(other)).astype(np.float64)

    def is_idle(self, tickets: Tickets) -> bool:
        is_high = self._is_high(tickets)
        return bool(is_high.all() or not is_high.any())

    def classes(self, tickets: Tickets) -> Ints | None:
        if self.use is Use.PREFER:
            return None
        after = np.where(has_dropped(self, tickets), _HIGH | _LOW, _HIGH)
        return np.where(self._is_high(tickets), after, _LOW)

    def _is_high(self, tickets: Tickets) -> Bools:
        if "conduct" not in tickets.traits:
            return np.zeros(len(tickets), dtype=np.bool_)
        is_high: Bools = tickets.traits["conduct"] >= self.high
        return is_high
