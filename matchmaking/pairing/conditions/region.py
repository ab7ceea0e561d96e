"""A region in common, and how long messages take to it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.conditions.shared import ANYTHING, has_dropped, sets_of
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Region"]

_DROPPED = 1 << 62
_NOWHERE = 1000.0  # ms that no region in common counts for where it is allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class Region(Condition):
    """Milliseconds to the best region that both accept: there, the larger latency of the two.

    Traits: `regions`, int64 bits, 0: anywhere; `latency`, float64 (n, R), ms to each of the
    first R regions, nan: not measured, which fits, inf: not accepted. Either may be missing.
    """

    is_mutual: ClassVar[bool] = True

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        if "latency" not in tickets.traits:
            mine, theirs = sets_of(tickets, "regions", one), sets_of(tickets, "regions", other)
            return np.where(mine & theirs, 0.0, np.inf)
        slower = np.maximum(_latencies(tickets, one), _latencies(tickets, other))
        nearest: Floats = slower.min(axis=1, initial=np.inf)
        return nearest

    def cost(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        if not self.seconds:
            return np.zeros(len(one))
        cost: Floats = np.minimum(self.distance(tickets, one, other), _NOWHERE) * self.seconds
        return cost

    def is_idle(self, tickets: Tickets) -> bool:
        if (latency := tickets.traits.get("latency")) is not None and (latency > 0).any():
            return False
        return "regions" not in tickets.traits or not tickets.traits["regions"].any()

    def classes(self, tickets: Tickets) -> Ints | None:
        if self.use is Use.PREFER:
            return None
        everyone = np.arange(len(tickets))
        sets = sets_of(tickets, "regions", everyone)
        if "latency" in tickets.traits:
            accepted = np.isfinite(_latencies(tickets, everyone))
            sets = accepted @ (1 << np.arange(accepted.shape[1]))
        return np.where(has_dropped(self, tickets), sets | _DROPPED, sets)


def _latencies(tickets: Tickets, places: Ints) -> Floats:
    """(m, R) ms; 0 where not measured, inf where not accepted."""
    latency = tickets.traits["latency"].take(places, axis=0)
    latency = np.where(np.isnan(latency), 0.0, latency)
    sets = sets_of(tickets, "regions", places)
    if (sets == ANYTHING).all():
        return latency
    is_named = sets[:, np.newaxis] >> np.arange(latency.shape[1]) & 1
    return np.where(is_named, latency, np.inf)
