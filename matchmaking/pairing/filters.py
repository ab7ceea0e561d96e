"""One against one by conditions that each passes of the other."""

from matchmaking.pairing.converting import as_meetings
from matchmaking.pairing.duels import pair
from matchmaking.pairing.meetings import Meetings
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.tickets import Tickets

__all__ = ["find_pairs"]


def find_pairs(tickets: Tickets, plan: Plan) -> Meetings:
    """Pairs in which each passes every condition of the other."""
    pairs = pair(tickets, plan.rules)
    return as_meetings(tickets, plan, pairs, pairs.gap / plan.settings.exchange.points_per_second)
