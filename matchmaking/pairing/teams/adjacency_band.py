"""Which tickets accept each other by a queue's conditions, among those near each other in the order of ratings."""

from collections.abc import Iterable
from typing import Self

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.duels.interval_graph import IntervalGraph
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["AdjacencyBand"]

# Where fewer suit, vertices further away are asked too, up to so many pairs in all.
_DENSE, _MOST_PAIRS = 0.5, 4_000_000


class AdjacencyBand:
    """For each of n vertices a whole number: bit `reach` + d is set where the vertex d further on suits it.

    So the vertices that suit several at once are found by shifting and by a bitwise and.
    """

    def __init__(self, above: Bools) -> None:
        """`above`: (n, reach), whether each vertex and the one d + 1 further on suit each other."""
        n, self.reach = above.shape
        self._rows = np.zeros((n, 2 * self.reach + 1), dtype=np.bool_)
        self._rows[:, self.reach + 1 :] = above
        for step in range(1, self.reach + 1):
            self._rows[step:, self.reach - step] = above[: n - step, step - 1]
        packed = np.packbits(self._rows, axis=1, bitorder="little")
        width, raw = packed.shape[1], packed.tobytes()
        starts = range(0, len(raw), width)
        self.suits = [int.from_bytes(raw[start : start + width], "little") for start in starts]

    @classmethod
    def of(
        cls,
        tickets: Tickets,
        held: list[Condition],
        order: Ints,
        intervals: IntervalGraph,
        spread: Floats,
        *,
        reach: int,
    ) -> Self | None:
        """The band of the tickets `order`, whose ratings are `intervals`; None where nobody refuses anybody.

        held    conditions, besides that of the rating
        spread  of each ticket, rating points of a match that it accepts
        reach   vertices asked about to each side; more where few suit, fewer where there are very many
        """
        n = len(order)
        if not held or n < 2:
            return None
        reach = max(1, min(reach, n - 1, _MOST_PAIRS // n))
        near = _within(intervals, spread, reach)
        above = _suits(tickets, held, order, near)
        share = above.sum() / max(near.sum(), 1)
        wider = min(int(reach / max(share, 1 / n)), _MOST_PAIRS // n, n - 1)
        if share < _DENSE and wider > reach:
            above = _suits(tickets, held, order, _within(intervals, spread, wider))
        return None if share == 1 and reach == n - 1 else cls(above)

    def holds(self, number: int, step: int) -> bool:
        """Whether the vertex `step` further on is among those of `number`; never one beyond reach."""
        return step >= -self.reach and bool(number >> (step + self.reach) & 1)

    def holds_all(self, vertex: int, others: Iterable[int]) -> bool:
        """Whether the others all suit the vertex."""
        number = self.suits[vertex]
        return all(self.holds(number, other - vertex) for other in others)

    def around(self, vertex: int) -> Ints:
        """All vertices that suit this one, ascending."""
        found: Ints = np.flatnonzero(self._rows[vertex]) + (vertex - self.reach)
        return found


def _within(intervals: IntervalGraph, spread: Floats, reach: int) -> Bools:
    """(n, reach): whether the ratings of each vertex and the one d + 1 further on suit both."""
    near = np.zeros((len(intervals), reach), dtype=np.bool_)
    for step in range(1, reach + 1):
        apart = intervals.rating[step:] - intervals.rating[:-step]
        near[:-step, step - 1] = apart <= np.minimum(spread[step:], spread[:-step])
        near[:-step, step - 1] &= intervals.allows_step(step)
    return near


def _suits(tickets: Tickets, held: list[Condition], order: Ints, near: Bools) -> Bools:
    """Which of the pairs in `near` suit each other by all conditions."""
    above, reach = near.copy(), near.shape[1]
    for condition in held:
        if (classes := condition.classes(tickets)) is not None:
            classes = classes[order]
            for step in range(1, reach + 1):
                above[:-step, step - 1] &= (classes[step:] & classes[:-step]) != 0
    pairs = np.flatnonzero(above)
    vertex, column = np.divmod(pairs, reach)
    one, other = order[vertex], order[vertex + column + 1]
    for condition in held:
        allowed = condition.allows(tickets, one, other, condition.tolerances(tickets))
        if not allowed.all():
            pairs, one, other = pairs[allowed], one[allowed], other[allowed]
    suits = np.zeros(above.size, dtype=np.bool_)
    suits[pairs] = True
    return suits.reshape(above.shape)
