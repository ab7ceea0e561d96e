"""Pairing one against one."""

import numpy as np

from matchmaking.pairing.completing import match_near
from matchmaking.pairing.line import Line
from matchmaking.pairing.matching import Matching
from matchmaking.pairing.pairs import Pairs
from matchmaking.pairing.polishing import polish
from matchmaking.pairing.rules import Rules
from matchmaking.pairing.settling import settle
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Ints

__all__ = ["pair"]

_REACH = 8
_ROUNDS = 8


def pair(tickets: Tickets, rules: Rules) -> Pairs:
    """Pair tickets whose gap is within both tolerances; the same answer for any order of them."""
    line, order = Line.of(tickets, rules)
    matching = Matching(len(line))
    match_near(line, matching, reach=_REACH)
    settle(line, matching)
    polish(line, matching, reach=_REACH, rounds=_ROUNDS)
    settle(line, matching)
    return _as_pairs(line, matching, order)


def _as_pairs(line: Line, matching: Matching, order: Ints) -> Pairs:
    lower, upper = matching.pairs()
    is_older = line.rank[lower] < line.rank[upper]
    first, second = np.where(is_older, (lower, upper), (upper, lower))
    by_age = np.argsort(line.rank[first])
    first, second = first[by_age], second[by_age]
    free = matching.free()
    left = free[np.argsort(line.rank[free])]
    return Pairs(
        first=order[first], second=order[second], gap=line.gap(first, second), left=order[left]
    )
