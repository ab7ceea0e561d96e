"""Who meets whom, as pure functions over arrays: no framework, no clock, no global state.

from matchmaking.pairing import Rules, Tickets, explain, pair

tickets = Tickets(
    id=[7, 8, 9],
    player=[1, 2, 3],
    rating=[1500.0, 1540.0, 1900.0],
    deviation=[90.0, 60.0, nan],
    waited=[12.0, 3.0, 0.0],
)
rules = Rules(gap_start=100, gap_per_second=5, gap_cap=400)
pairs = pair(tickets, rules)  # first [0], second [1], gap [40.0], left [2]
why = explain(tickets, rules, pairs)  # tolerance [[160.0, 115.0]], waited [[12.0, 3.0]]
"""

from matchmaking.pairing.duels.by_rating import pair
from matchmaking.pairing.model.plan import Rules
from matchmaking.pairing.model.proposed import Pairs, Reasons, explain
from matchmaking.pairing.tickets import Tickets

__all__ = ["Pairs", "Reasons", "Rules", "Tickets", "explain", "pair"]
