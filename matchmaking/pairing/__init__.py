"""Which tickets meet, as pure functions over arrays: no framework, no clock, no global state.

from matchmaking.pairing import Plan, Rules, Tickets, find_matches, records

tickets = Tickets(
    id=[7, 8, 9],
    player=[1, 2, 3],
    rating=[1500.0, 1540.0, 1900.0],
    deviation=[90.0, 60.0, nan],
    waited=[12.0, 3.0, 0.0],
)
plan = Plan(rules=Rules(gap_start=100, gap_per_second=5, gap_cap=400))
found = find_matches(tickets, plan)  # ticket [0, 1], team [0, 1], gap [40.0], left [2]
why = records(tickets, plan, found)  # [{"strategy": "filters", "waited": [12.0, 3.0], ...}]
"""

from matchmaking.pairing.matches import Pairs
from matchmaking.pairing.plan import Plan, Rules
from matchmaking.pairing.records import records
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.tickets import Tickets

__all__ = ["Pairs", "Plan", "Rules", "Tickets", "find_matches", "records"]
