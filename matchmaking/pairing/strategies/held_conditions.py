"""Conditions that hold while matches are gathered, asked for a few tickets at a time."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.conditions.build import conditions_of
from matchmaking.pairing.conditions.map_shared import MapShared
from matchmaking.pairing.conditions.tied import Avoid
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools

__all__ = ["Demands", "always_held"]

# So many are asked at once, and from then on twice as many each time.
_AT_ONCE = 16


def always_held(plan: Plan) -> tuple[Condition, ...]:
    """What holds whatever the strategy: avoided players, a map in common, and what the game demands."""
    own = conditions_of(plan)[: -len(plan.extra) or None]
    return (*(one for one in own if isinstance(one, Avoid | MapShared)), *plan.extra)


class Demands:
    """Whether tickets accept each other by some conditions."""

    def __init__(self, tickets: Tickets, conditions: Iterable[Condition]) -> None:
        self._tickets = tickets
        self._asked = [
            (condition, condition.tolerances(tickets))
            for condition in conditions
            if condition.use is not Use.PREFER and not condition.is_idle(tickets)
        ]

    def agree(self, one: Sequence[int], other: Sequence[int]) -> Bools:
        """Whether each of `one` and the ticket beside it in `other` accept each other."""
        left, right = np.array(one, dtype=np.int64), np.array(other, dtype=np.int64)
        agreed = np.ones(len(left), dtype=np.bool_)
        for condition, tolerance in self._asked:
            agreed &= condition.allows(self._tickets, left, right, tolerance)
        return agreed

    def all_agree(self, group: Sequence[int]) -> Bools:
        """(g, g): who of the group accepts whom."""
        agreed = np.ones((len(group), len(group)), dtype=np.bool_)
        if self._asked:
            one, other = np.triu_indices(len(group), k=1)
            positions = np.array(group, dtype=np.int64)
            agreed[one, other] = self.agree(positions[one].tolist(), positions[other].tolist())
            agreed[other, one] = agreed[one, other]
        return agreed

    def first_agreed(self, seeker: int, others: Iterable[int]) -> int | None:
        """The first of `others` whom the seeker accepts, and who accepts the seeker."""
        waiting, at_once = iter(others), _AT_ONCE
        if not self._asked:
            return next(waiting, None)
        while asked := list(islice(waiting, at_once)):
            agreed = self.agree([seeker] * len(asked), asked)
            if agreed.any():
                return asked[int(agreed.argmax())]
            at_once *= 2
        return None

    def windows(self, others: Iterable[int], sizes: Sequence[int]) -> Iterator[list[int]]:
        """The first so many of `others`, for each of `sizes`, as long as there are more."""
        waiting, seen = iter(others), list[int]()
        for size in sizes:
            more = list(islice(waiting, size - len(seen)))
            if not more:
                return
            seen += more
            yield list(seen)
