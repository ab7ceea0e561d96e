"""What the ladder's rating system expects of two tickets."""

import numpy as np

from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.protocol import System
from ratings.systems.state import Ratings

__all__ = ["expect", "is_weaker"]


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
