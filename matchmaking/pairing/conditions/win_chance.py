"""How sure the result may be, by what the ladder's rating system expects of two tickets."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.protocol import System
from ratings.systems.state import Ratings

__all__ = ["WinChance", "expect"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WinChance(Condition):
    """How far the expected score is from one half, 0..0.5, by the ladder's own system.

    system       predicts from ratings and deviations
    side_points  rating points that the better side is worth; the weaker of two plays it
    """

    is_mutual: ClassVar[bool] = True

    system: System
    side_points: float = 0.0

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        # Always asked for the weaker, so that both directions give the same bits.
        weaker = is_weaker(tickets, one, other)
        first, second = np.where(weaker, (one, other), (other, one))
        chance = expect(tickets, self.system, first, second, abs(self.side_points))
        return np.abs(chance - 0.5)


def is_weaker(tickets: Tickets, one: Ints, other: Ints) -> Bools:
    """Whether each `one` has the lower rating; of equal ones the lower id."""
    mine, theirs = tickets.rating.take(one), tickets.rating.take(other)
    is_first = tickets.id.take(one) < tickets.id.take(other)
    weaker: Bools = np.where(mine == theirs, is_first, mine < theirs)
    return weaker


def expect(tickets: Tickets, system: System, first: Ints, second: Ints, points: float) -> Floats:
    """The score expected of each `first`, 0..1, who plays a side worth so many rating points."""
    deviation = _known_deviation(tickets, system)
    value = np.concatenate((tickets.rating.take(first) + points, tickets.rating.take(second)))
    both = np.concatenate((first, second))
    nothing = np.zeros(len(both), dtype=np.int64)
    ratings = Ratings(
        value, None if deviation is None else deviation.take(both), None, nothing, nothing
    )
    place = np.arange(len(first))
    return system.expected(ratings, place, place + len(first))


def _known_deviation(tickets: Tickets, system: System) -> Floats | None:
    """Deviations, a newcomer's where a ticket has none; None where the system has none."""
    if (start := system.initial(1).deviation) is None:
        return None
    return np.where(np.isnan(tickets.deviation), start[0], tickets.deviation)
