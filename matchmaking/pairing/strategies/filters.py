"""One against one by conditions that each passes of the other."""

from collections.abc import Sequence

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.conditions import Hold, RatingGap
from matchmaking.pairing.duels.candidate_graph import CandidateGraph
from matchmaking.pairing.duels.exact_matching import match_exactly
from matchmaking.pairing.duels.interval_graph import IntervalGraph
from matchmaking.pairing.duels.maximal_matching import (
    match_best_first,
    match_by_conditions,
    match_by_rating,
)
from matchmaking.pairing.matches import Pairs, ProposedMatches, pairs_as_matches
from matchmaking.pairing.plan import Plan, conditions_of, costs_of
from matchmaking.pairing.tickets import Tickets

__all__ = ["find_pairs", "pair_by"]

_POINT = 1e-3  # seconds that a point is worth where nobody minds it: of equals the nearer


def find_pairs(tickets: Tickets, plan: Plan) -> ProposedMatches:
    """Pairs in which each passes every condition of the other."""
    conditions, few = conditions_of(plan), plan.settings.exchange.exact_up_to
    pairs = pair_by(tickets, conditions, exact_up_to=few)
    cost = costs_of(tickets, conditions, pairs.first, pairs.second)
    return pairs_as_matches(pairs, cost)


def pair_by(tickets: Tickets, conditions: Sequence[Condition], *, exact_up_to: int = 0) -> Pairs:
    """Pair tickets that pass every condition of each other.

    No two of those left accept each other, and none of them could take the place of one who has
    waited less by changing one pair. The answer does not depend on the order of `tickets`.
    Of up to `exact_up_to` tickets as many are matched as can be, of these the oldest, and with
    these at the least cost that there is. Where pairs are held back, those released are taken best
    first instead, whoever waits: the cost counts what both have waited.
    """
    gap = next((one for one in conditions if isinstance(one, RatingGap)), None)
    asked = [one for one in conditions if one is not gap and not one.is_idle(tickets)]
    accepted = np.full(len(tickets), np.inf) if gap is None else gap.tolerances(tickets)
    if len(tickets) > exact_up_to and gap is not None and not asked:
        intervals, order = IntervalGraph.of(tickets, accepted, start=gap.widening.start)
        matching = match_by_rating(intervals)
    else:
        seconds = (gap.seconds if gap else 0.0) or _POINT
        graph = CandidateGraph(tickets, accepted, asked, seconds=seconds)
        intervals, order = graph.intervals, graph.order
        if any(isinstance(one, Hold) for one in asked):
            matching = match_best_first(graph)
        else:
            is_exact = len(tickets) <= exact_up_to
            matching = (match_exactly if is_exact else match_by_conditions)(graph)
    rank = np.empty(len(tickets), dtype=np.int64)
    rank[order] = intervals.rank
    return Pairs.of(tickets, order[np.stack(matching.pairs(), axis=1)], rank)
