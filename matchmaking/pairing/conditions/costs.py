"""What tickets dislike in each other, all conditions together."""

from collections.abc import Sequence

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["costs_of"]


def costs_of(
    tickets: Tickets, conditions: Sequence[Condition], first: Ints, second: Ints
) -> Floats:
    """Seconds that each two would wait to avoid each other, all conditions together."""
    cost = np.zeros(len(first))
    for condition in conditions:
        if condition.seconds and not condition.is_idle(tickets):
            cost += condition.bound(tickets).cost(tickets, first, second)
    return cost
