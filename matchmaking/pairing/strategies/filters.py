"""One against one by conditions that each passes of the other."""

from collections.abc import Sequence

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.conditions.build import conditions_of, costs_of
from matchmaking.pairing.conditions.rating_gap import RatingGap
from matchmaking.pairing.duels.by_rating import as_pairs, pair_line
from matchmaking.pairing.duels.candidate_graph import Crowd
from matchmaking.pairing.duels.graph_matching import match_crowd
from matchmaking.pairing.duels.matching import Matching
from matchmaking.pairing.duels.rating_line import Line
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings, Pairs, as_meetings
from matchmaking.pairing.tickets import Tickets

__all__ = ["find_pairs", "pair_by"]

_POINT = 1e-3  # seconds that a point is worth where nobody minds it: of equals the nearer


def find_pairs(tickets: Tickets, plan: Plan) -> Meetings:
    """Pairs in which each passes every condition of the other."""
    conditions, few = conditions_of(plan), plan.settings.exchange.exact_up_to
    pairs = pair_by(tickets, conditions, exact_up_to=few)
    cost = costs_of(tickets, conditions, pairs.first, pairs.second)
    return as_meetings(pairs, cost)


def pair_by(tickets: Tickets, conditions: Sequence[Condition], *, exact_up_to: int = 0) -> Pairs:
    """Pair tickets that pass every condition of each other.

    No two of those left accept each other, and none of them could take the place of one who has
    waited less by changing one pair. The answer does not depend on the order of `tickets`.
    Of up to `exact_up_to` tickets as many are matched as can be, of these the oldest, and with
    these at the least cost that there is.
    """
    gap, others = _apart(conditions)
    asked = [condition for condition in others if not condition.is_idle(tickets)]
    accepted = np.full(len(tickets), np.inf) if gap is None else gap.tolerances(tickets)
    if len(tickets) > exact_up_to and gap is not None and not asked:
        line, order = Line.by(tickets, accepted, start=gap.widening.start)
        return as_pairs(line, pair_line(line), order)
    crowd = Crowd(tickets, accepted, asked, seconds=(gap.seconds if gap else 0.0) or _POINT)
    if len(tickets) > exact_up_to:
        return as_pairs(crowd.line, match_crowd(crowd), crowd.order)
    return as_pairs(crowd.line, _match_exactly(crowd), crowd.order)


def _apart(
    conditions: Sequence[Condition],
) -> tuple[RatingGap | None, list[Condition]]:
    """The condition of the rating, and all the others."""
    gaps = [condition for condition in conditions if isinstance(condition, RatingGap)]
    first = gaps[0] if gaps else None
    return first, [condition for condition in conditions if condition is not first]


def _match_exactly(crowd: Crowd) -> Matching:
    from matchmaking.pairing.duels.optimal import match_exactly  # its library takes a while to load

    return match_exactly(crowd)
