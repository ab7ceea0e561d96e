"""What a party counts for as one ticket."""

import numpy as np

from matchmaking.pairing.model.seats import Seats
from ratings.systems.arrays import Floats

__all__ = ["strengths"]


def strengths(seats: Seats, party_bonus: float = 0.0) -> tuple[Floats, Floats]:
    """Rating and deviation of each ticket, float64 of length n, in rating points.

    The rating is the mean of the players', with `party_bonus` points for each player beyond the
    first; the deviation is the root mean square of theirs, nan where one has none.
    """
    starts = seats.starts[:-1]
    if len(starts) == len(seats):
        return seats.rating, seats.deviation
    sizes = np.diff(seats.starts)
    rating = np.add.reduceat(seats.rating, starts) / sizes + party_bonus * (sizes - 1)
    variance: Floats = np.add.reduceat(seats.deviation**2, starts) / sizes
    return rating, np.sqrt(variance)
