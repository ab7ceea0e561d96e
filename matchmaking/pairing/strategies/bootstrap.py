"""A new pool is mixed before it is matched fairly.

Ratings of newcomers say little, and players who meet only their likes never learn how they compare
with the rest: a pool in islands. So everybody meets anybody, by lot, and first those not met yet.
"""

from collections.abc import Iterator

import numpy as np

from matchmaking.pairing.conditions import Rematch
from matchmaking.pairing.maps_and_sides.lots import draw_lots
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.strategies.gather import Row, assemble, take_turns
from matchmaking.pairing.strategies.held_conditions import Demands, always_held
from matchmaking.pairing.tickets import Tickets

__all__ = ["mix_evenly"]


def mix_evenly(tickets: Tickets, plan: Plan) -> Meetings:
    """Everyone with strangers whom the lot has put near, then with anybody; never by rating.

    The lots follow from the numbers of the tickets alone. Nobody meets somebody they avoid.
    """
    lots = draw_lots(tickets.id)
    order = np.lexsort((tickets.id, lots))
    row, held = Row(order, lots[order]), always_held(plan)

    def near(seeker: int) -> Iterator[int]:
        return (other for _, other in row.around(seeker))

    strangers, anybody = Demands(tickets, (*held, Rematch())), Demands(tickets, held)
    groups = take_turns(tickets, plan, strangers, row, near)
    groups += take_turns(tickets, plan, anybody, row, near)
    return assemble(tickets, plan, groups)
