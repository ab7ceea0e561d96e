"""Pairs as meetings of two teams of one."""

import numpy as np

from matchmaking.pairing.chances import chances, is_weaker
from matchmaking.pairing.meetings import Meetings
from matchmaking.pairing.pairs import Pairs
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats

__all__ = ["as_meetings"]


def as_meetings(tickets: Tickets, plan: Plan, pairs: Pairs, cost: Floats) -> Meetings:
    """The pairs in their order, no map chosen. The weaker of two plays the better side.

    cost  float64 (m,), seconds, of each pair
    """
    m = len(pairs)
    first, second = pairs.first, pairs.second
    if plan.side_points:
        is_right = is_weaker(tickets, first, second) == (plan.side_points > 0)
        first, second = np.where(is_right, (first, second), (second, first))
    return Meetings(
        meeting=np.repeat(np.arange(m), 2),
        ticket=np.stack((first, second), axis=1).ravel(),
        team=np.tile(np.arange(2), m),
        gap=pairs.gap,
        cost=cost,
        chance=chances(tickets, plan, first, second),
        map=np.full(m, -1, dtype=np.int64),
        left=pairs.left,
    )
