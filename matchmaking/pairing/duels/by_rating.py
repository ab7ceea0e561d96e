"""Pairing one against one.

1. `chaining` pairs neighbours in the order of ratings. 2. `settling` pairs whoever is left, best
first and however far apart, finds more matches along short paths, and lets the older in for the
younger. 3. `polishing` makes the gaps smaller. 4. As that may have given somebody a younger
partner, settle again: what `pair` promises holds at the end.
"""

import numpy as np

from matchmaking.pairing.duels.chaining import pair_chains
from matchmaking.pairing.duels.improve import settle
from matchmaking.pairing.duels.matching import Matching
from matchmaking.pairing.duels.nearest import near_pairs
from matchmaking.pairing.duels.polishing import polish
from matchmaking.pairing.duels.rating_line import Line
from matchmaking.pairing.model.pairs import Pairs
from matchmaking.pairing.model.rules import Rules
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Ints

__all__ = ["as_pairs", "pair", "pair_line"]

# How far paths and exchanges look along the line, and how long they may get. Measured over dense,
# sparse and mixed queues: twice as much finds next to nothing more. No promise hangs on them.
_REACH, _DEPTH, _ROUNDS = 8, 4, 8


def pair(tickets: Tickets, rules: Rules) -> Pairs:
    """Pair tickets whose gap is within both tolerances.

    No two of those left accept each other, and none of them could take the place of one who has
    waited less by changing one pair. The answer does not depend on the order of `tickets`.
    """
    line, order = Line.of(tickets, rules)
    return as_pairs(line, pair_line(line), order)


def pair_line(line: Line) -> Matching:
    """The matching that `pair` promises."""
    matching = Matching(len(line))
    pair_chains(line, matching)
    near = near_pairs(line, reach=_REACH)
    settle(line, matching, near, depth=_DEPTH)
    polish(line, matching, near, rounds=_ROUNDS)
    settle(line, matching, near, depth=_DEPTH)
    return matching


def as_pairs(line: Line, matching: Matching, order: Ints) -> Pairs:
    """The pairs as positions in the tickets, `order` of each place; the longest wait first."""
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
