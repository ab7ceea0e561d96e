"""Pairs as meetings of two teams of one."""

import numpy as np

from matchmaking.pairing.model.pairs import Pairs
from matchmaking.pairing.model.proposed import Meetings
from ratings.systems.arrays import Floats

__all__ = ["as_meetings"]


def as_meetings(pairs: Pairs, cost: Floats) -> Meetings:
    """The pairs in their order, no map and no sides chosen, and no chance known yet.

    cost  float64 (m,), seconds, of each pair
    """
    m = len(pairs)
    return Meetings(
        meeting=np.repeat(np.arange(m), 2),
        ticket=np.stack((pairs.first, pairs.second), axis=1).ravel(),
        team=np.tile(np.arange(2), m),
        gap=pairs.gap,
        cost=cost,
        chance=np.full(m, np.nan),
        map=np.full(m, -1, dtype=np.int64),
        left=pairs.left,
    )
