"""All conditions together, put to many pairs of tickets at once."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Demands"]


class Demands:
    """What the conditions say of pairs of positions; those are asked that have something to say."""

    def __init__(self, tickets: Tickets, conditions: Sequence[Condition]) -> None:
        self.tickets = tickets
        self._forbidding: list[tuple[Condition, Floats]] = []
        self._costing: list[Condition] = []
        self._bound = [each.bound(tickets) for each in conditions if not each.is_idle(tickets)]
        for condition in self._bound:
            accepted = condition.tolerances(tickets)
            if not np.isposinf(accepted).all():
                self._forbidding.append((condition, accepted))
            if condition.seconds and accepted.any():  # where nobody accepts any, none is left
                self._costing.append(condition)

    def allows(self, one: Ints, other: Ints) -> Bools:
        """Whether each `one` and `other` pass every condition of each other."""
        allowed = np.ones(len(one), dtype=np.bool_)
        for condition, accepted in self._forbidding:
            asked = np.flatnonzero(allowed)
            allowed[asked] = condition.allows(
                self.tickets, one.take(asked), other.take(asked), accepted
            )
        return allowed

    def cost(self, one: Ints, other: Ints) -> Floats:
        """Seconds that each two, who are allowed to meet, would wait to avoid each other."""
        cost = np.zeros(len(one))
        for condition in self._costing:
            cost += condition.cost(self.tickets, one, other)
        return cost

    def classes(self) -> list[Ints]:
        """The classes of the conditions that divide the tickets into any."""
        found = (condition.classes(self.tickets) for condition, _accepted in self._forbidding)
        return [classes for classes in found if classes is not None]

    def leanings(self) -> list[Ints]:
        """The same, had nobody given up anything: whom each would rather meet."""
        if all(condition.use is Use.MUST for condition in self._bound):
            return []
        musts = (replace(condition, use=Use.MUST) for condition in self._bound)
        found = (must.classes(self.tickets) for must in musts)
        return [classes for classes in found if classes is not None]
