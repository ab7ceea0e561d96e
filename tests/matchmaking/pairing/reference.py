"""Who accepts whom and how many could be matched, worked out the slow and obvious way."""

from functools import cache

import numpy as np

from matchmaking.pairing import Pairs, Rules, Tickets
from ratings.systems.arrays import Bools, Ints

__all__ = ["accepting", "largest_number", "partners", "seniority"]


def accepting(tickets: Tickets, rules: Rules) -> Bools:
    """(n, n) whether the gap is within both tolerances; nobody accepts themselves."""
    tolerance = rules.tolerances(tickets.waited)
    gap = np.abs(tickets.rating[:, np.newaxis] - tickets.rating)
    is_allowed: Bools = gap <= np.minimum(tolerance[:, np.newaxis], tolerance)
    np.fill_diagonal(is_allowed, val=False)
    return is_allowed


def partners(tickets: Tickets, pairs: Pairs) -> Ints:
    """The partner of each ticket, -1 for those left."""
    partner = np.full(len(tickets), -1)
    partner[pairs.first], partner[pairs.second] = pairs.second, pairs.first
    return partner


def seniority(tickets: Tickets) -> Ints:
    """0 for the ticket that has waited longest; of equal waits the lower id is older."""
    rows = zip((-tickets.waited).tolist(), tickets.id.tolist(), strict=True)
    oldest_first = [place for _, place in sorted((row, at) for at, row in enumerate(rows))]
    rank = np.empty(len(tickets), dtype=np.int64)
    rank[oldest_first] = np.arange(len(tickets))
    return rank


def largest_number(tickets: Tickets, rules: Rules) -> int:
    """The most pairs there can be, by trying all; for few tickets."""
    is_allowed = accepting(tickets, rules).tolist()

    @cache
    def most(left: frozenset[int]) -> int:
        if not left:
            return 0
        one = min(left)
        others = left - {one}
        found = [1 + most(others - {two}) for two in others if is_allowed[one][two]]
        return max([most(others), *found])

    return most(frozenset(range(len(tickets))))
