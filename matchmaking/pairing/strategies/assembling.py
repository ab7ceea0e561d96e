"""From groups of tickets to matches."""

import numpy as np

from matchmaking.pairing.conditions.costs import costs_of
from matchmaking.pairing.model.converting import as_meetings
from matchmaking.pairing.model.pairs import Pairs
from matchmaking.pairing.model.plan import Plan, conditions_of
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.teams import arrange
from matchmaking.pairing.tickets import Tickets

__all__ = ["assemble"]


def assemble(tickets: Tickets, plan: Plan, groups: list[list[int]]) -> Meetings:
    """The matches of these groups, each of as many players as a match has; whoever waited longest first."""
    return (_as_duels if plan.is_duel else arrange)(tickets, plan, groups)


def _as_duels(tickets: Tickets, plan: Plan, groups: list[list[int]]) -> Meetings:
    by_age = tickets.by_age()
    rank = np.argsort(by_age)
    pairs = np.array(groups, dtype=np.int64).reshape(-1, 2)
    pairs = np.take_along_axis(pairs, np.argsort(rank[pairs], axis=1), axis=1)
    first, second = pairs[np.argsort(rank[pairs[:, 0]])].T
    is_left = np.ones(len(tickets), dtype=np.bool_)
    is_left[pairs.ravel()] = False
    found = Pairs(
        first=first,
        second=second,
        gap=np.abs(tickets.rating[first] - tickets.rating[second]),
        left=by_age[is_left[by_age]],
    )
    return as_meetings(found, costs_of(tickets, conditions_of(plan), first, second))
