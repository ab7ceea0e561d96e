"""Who accepts whom by a queue's conditions, among tickets near each other in the order of ratings."""

from collections.abc import Iterable
from typing import Self

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.plan import Plan, conditions_of
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Ints

__all__ = ["Band"]


class Band:
    """For each of n places a whole number: bit `reach` + d is set where the place d further on suits it.

    So the places that suit several at once are found by shifting and by a bitwise and.
    """

    def __init__(self, suits: list[int], reach: int) -> None:
        self.suits, self.reach = suits, reach

    @classmethod
    def of(cls, tickets: Tickets, plan: Plan, order: Ints, *, reach: int) -> Self | None:
        """The band of the tickets `order`, by rating; None where no condition forbids anything."""
        held = [
            condition
            for condition in conditions_of(plan)
            if condition.use is not Use.PREFER and not condition.is_idle(tickets)
        ]
        reach = max(1, min(reach, len(order) - 1))
        if not held or len(order) < 2:
            return None
        above = _suits_above(tickets, held, order, reach)
        if above.sum() == _count_pairs(len(order), reach):
            return None
        return cls(_as_numbers(above), reach)

    def holds(self, number: int, step: int) -> bool:
        """Whether the place `step` further on is among those of `number`; never one beyond reach."""
        return step >= -self.reach and bool(number >> (step + self.reach) & 1)

    def holds_all(self, place: int, others: Iterable[int]) -> bool:
        """Whether the others all suit the place."""
        number = self.suits[place]
        return all(self.holds(number, other - place) for other in others)


def _suits_above(tickets: Tickets, held: list[Condition], order: Ints, reach: int) -> Bools:
    """(n, reach): whether the place d + 1 further on and each place suit each other."""
    n = len(order)
    place, step = np.divmod(np.arange(n * reach), reach)
    pairs = np.flatnonzero(place + step + 1 < n)
    one, other = order[place[pairs]], order[(place + step + 1)[pairs]]
    for condition in held:
        allowed = condition.allows(tickets, one, other, condition.tolerances(tickets))
        if not allowed.all():
            pairs, one, other = pairs[allowed], one[allowed], other[allowed]
    above = np.zeros(n * reach, dtype=np.bool_)
    above[pairs] = True
    return above.reshape(n, reach)


def _count_pairs(n: int, reach: int) -> int:
    return n * reach - reach * (reach + 1) // 2


def _as_numbers(above: Bools) -> list[int]:
    n, reach = above.shape
    both = np.zeros((n, 2 * reach + 1), dtype=np.bool_)
    both[:, reach + 1 :] = above
    for step in range(1, reach + 1):
        both[step:, reach - step] = above[: n - step, step - 1]
    packed = np.packbits(both, axis=1, bitorder="little")
    width, raw = packed.shape[1], packed.tobytes()
    return [
        int.from_bytes(raw[start : start + width], "little") for start in range(0, len(raw), width)
    ]
