"""Tickets in the order of their ratings, who accept each other by any conditions."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.duels.candidate_queries import Asking
from matchmaking.pairing.duels.rating_line import Line
from matchmaking.pairing.duels.strands import Strands
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Crowd"]

_LONGEST = 86_400.0  # seconds: who has waited for a day has waited long enough to be first
_REACH_OF_FREE = 4


class Crowd:
    """A `Field` of n places by any conditions, the one of the rating among them.

    order    int64, the position in the tickets of each place
    line     what the ratings alone say
    strands  what the conditions that divide tickets into classes say
    leaning  what they would say if none of them were dropped or only preferred

    The unit of gaps and costs is a second of waiting.
    """

    def __init__(
        self, tickets: Tickets, accepted: Floats, conditions: Sequence[Condition], *, seconds: float
    ) -> None:
        """`accepted`: rating points each ticket accepts; `seconds`: what a point is worth."""
        self.line, self.order = Line.by(tickets, accepted, start=0.0)
        self.demands = Demands(tickets, conditions)
        self.seconds = seconds
        self.earned: Floats = np.minimum(tickets.waited, _LONGEST).take(self.order)
        classes = [each.take(self.order) for each in self.demands.classes()]
        self.strands = Strands.of(classes, len(self))
        leanings = [each.take(self.order) for each in self.demands.leanings()]
        self.leaning = Strands.of(leanings, len(self)) if leanings else self.strands
        self.asking = Asking(self.line, self.strands, self.passes)

    @property
    def rank(self) -> Ints:
        return self.line.rank

    def __len__(self) -> int:
        return len(self.order)

    def passes(self, one: Ints, other: Ints) -> Bools:
        """Whether each `one` and `other` pass the conditions, the one of the rating left out."""
        return self.demands.allows(self.order.take(one), self.order.take(other))

    def allows(self, one: Ints, other: Ints) -> Bools:
        allowed = self.line.allows(one, other)
        asked = np.flatnonzero(allowed)
        allowed[asked] = self.passes(one.take(asked), other.take(asked))
        return allowed

    def gap(self, one: Ints, other: Ints) -> Floats:
        """Seconds that each two, who accept each other, would wait to avoid each other."""
        cost = self.demands.cost(self.order.take(one), self.order.take(other))
        cost += self.least_gap(one, other)
        return cost

    def least_gap(self, one: Ints, other: Ints) -> Floats:
        """The part of `gap` that comes of the ratings: it is quick to say."""
        least: Floats = self.line.gap(one, other) * self.seconds
        return least

    def cost(self, one: Ints, other: Ints) -> Floats:
        cost: Floats = self.gap(one, other) - self.earned.take(one) - self.earned.take(other)
        return cost

    def near(self, *, reach: int) -> Ints:
        """(m, 2) places at most `reach` apart in a strand, or leaning, that accept each other."""
        return self.asking.near_enough(self.leaning, reach=reach)

    def nearest(self, free: Ints) -> Ints:
        is_free = np.zeros(len(self), dtype=np.bool_)
        is_free[free] = True
        among = self.strands.only(is_free)
        near = self.asking.near(among, reach=_REACH_OF_FREE)
        return near if len(near) else self.asking.any_of(among, free)

    def around(self, places: Ints) -> Ints:
        return self.asking.around(places)

    def outlasting(self, calls: Ints, free: Ints, partner: Ints) -> Ints:
        if not self.asking.is_whole:
            return self.asking.outlasting(free, partner)
        caller, called = calls.T
        kept: Ints = calls[self.rank.take(caller) < self.rank.take(partner.take(called))]
        return kept


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
