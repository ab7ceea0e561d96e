"""First come, first served: the shortest waits, and the baseline that others are compared with."""

import numpy as np

from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.strategies.gather import Row, assemble, take_turns
from matchmaking.pairing.strategies.held_conditions import Demands, always_held
from matchmaking.pairing.tickets import Tickets

__all__ = ["find_in_order"]


def find_in_order(tickets: Tickets, plan: Plan) -> Meetings:
    """Everyone with the next to arrive, whoever it is; teams are filled in the order of arrival.

    Nobody meets somebody they avoid. One against one, those who wait on found nobody among all
    that were left.
    """
    by_age = tickets.by_age()
    row = Row(by_age, np.arange(len(by_age), dtype=np.float64))
    demands = Demands(tickets, always_held(plan))
    groups = take_turns(tickets, plan, demands, row, row.others)
    return assemble(tickets, plan, groups)
