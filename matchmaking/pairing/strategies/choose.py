"""Who meets whom, by the strategy that a queue's operator has chosen: the one way in."""

from collections.abc import Callable
from importlib import import_module

from matchmaking.pairing.maps_and_sides.maps import choose_maps
from matchmaking.pairing.maps_and_sides.sides import assign_sides
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.tickets import Tickets

__all__ = ["find_matches"]

# Loaded when first asked for: the strategies use each other's parts.
_MODULES = {
    "duels": ("matchmaking.pairing.strategies.filters", "find_pairs"),
    "groups": ("matchmaking.pairing.teams", "find_groups"),
    "buckets": ("matchmaking.pairing.strategies.buckets", "find_in_buckets"),
    "fcfs": ("matchmaking.pairing.strategies.in_order", "find_in_order"),
    "bootstrap": ("matchmaking.pairing.strategies.bootstrap", "mix_evenly"),
}


def find_matches(tickets: Tickets, plan: Plan) -> Meetings:
    """The matches of a sweep, with maps, sides and chances.

    The same tickets in another order give the same matches.
    """
    found = _strategy(_name(plan))(tickets, plan)
    return assign_sides(choose_maps(found, tickets, plan), tickets, plan)


def _name(plan: Plan) -> str:
    if plan.mixes:
        return "bootstrap"
    if plan.settings.strategy != "filters":
        return plan.settings.strategy
    return "duels" if plan.is_duel else "groups"


def _strategy(name: str) -> Callable[[Tickets, Plan], Meetings]:
    module, function = _MODULES[name]
    found: Callable[[Tickets, Plan], Meetings] = getattr(import_module(module), function)
    return found
