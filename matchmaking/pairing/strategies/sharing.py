"""Why two met: the strictest level on which they share a bucket."""

import numpy as np

from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.strategies.levels import Entered, enter_levels
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Ints

__all__ = ["shared_levels"]


def shared_levels(tickets: Tickets, plan: Plan, meetings: Meetings) -> Ints:
    """For each match the first level, counted from 1, with a bucket that all its tickets are in; 0: none."""
    shared = np.zeros(len(meetings), dtype=np.int64)
    for number, entered in enumerate(enter_levels(tickets, plan), start=1):
        shared[_share(entered, meetings, len(tickets)) & (shared == 0)] = number
    return shared


def _share(entered: Entered, meetings: Meetings, n: int) -> Bools:
    """Whether all tickets of each match are in one bucket."""
    meeting_of = np.full(n, -1)
    meeting_of[meetings.ticket] = meetings.meeting
    rows = meeting_of[entered.ticket] >= 0
    meeting, bucket = meeting_of[entered.ticket[rows]], entered.bucket[rows]
    pairs, counts = np.unique(np.stack((meeting, bucket)), axis=1, return_counts=True)
    sizes = np.diff(meetings.starts)
    share = np.zeros(len(meetings), dtype=np.bool_)
    share[pairs[0][counts == sizes[pairs[0]]]] = True
    return share
