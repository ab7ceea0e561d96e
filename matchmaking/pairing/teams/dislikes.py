"""What tickets that may meet would still rather avoid in each other."""

from collections.abc import Sequence

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Dislikes"]


class Dislikes:
    """Seconds that any two places of a crowd would wait to avoid each other, all conditions together."""

    def __init__(self, tickets: Tickets, order: Ints, costing: Sequence[Condition]) -> None:
        """`order`: the position of the ticket at each place; `costing`: conditions for these tickets."""
        self._tickets, self._order, self._costing = tickets, order, costing

    def between(self, places: Sequence[int]) -> Floats:
        """(g, g) of every two of the places; 0 of each with itself."""
        one, other = np.triu_indices(len(places), k=1)
        ticket = self._order[np.array(places, dtype=np.int64)]
        cost = np.zeros((len(places), len(places)))
        for condition in self._costing:
            cost[one, other] += condition.cost(self._tickets, ticket[one], ticket[other])
        return cost + cost.T

    def within(self, places: Sequence[int]) -> float:
        """Of a match of these places: the sum over every two of them."""
        return float(self.between(places).sum()) / 2
