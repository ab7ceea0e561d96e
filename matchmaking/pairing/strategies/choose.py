"""Which tickets meet, by the strategy that a queue's operator has chosen: the one way in."""

from matchmaking.pairing.maps_and_sides.maps import choose_maps
from matchmaking.pairing.maps_and_sides.sides import assign_sides
from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.strategies.buckets import find_in_buckets
from matchmaking.pairing.strategies.filters import find_pairs
from matchmaking.pairing.strategies.greedy import find_in_order, mix_evenly
from matchmaking.pairing.teams.formation import find_groups
from matchmaking.pairing.tickets import Tickets

__all__ = ["find_matches"]

_STRATEGIES = {"buckets": find_in_buckets, "fcfs": find_in_order}


def find_matches(tickets: Tickets, plan: Plan) -> ProposedMatches:
    """The matches of a sweep, with maps, sides and chances.

    The same tickets in another order give the same matches.
    """
    if plan.mixes:
        found = mix_evenly(tickets, plan)
    elif plan.settings.strategy == "filters":
        found = (find_pairs if plan.is_duel else find_groups)(tickets, plan)
    else:
        found = _STRATEGIES[plan.settings.strategy](tickets, plan)
    return assign_sides(choose_maps(found, tickets, plan), tickets, plan)
