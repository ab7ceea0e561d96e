"""Pairing one against one, by ratings alone.

1. Neighbours in the order of ratings are paired, as chains. 2. `improve.settle` pairs whoever is left, best first and
however far apart, finds more matches along short paths, and lets the older in for the younger. 3. `improve.polish`
makes the gaps smaller. 4. As that may have given somebody a younger partner, settle again: what `pair` promises holds
at the end.

Where each ticket and the next one above accept each other they form a *chain*. A chain of an even
number is paired off in one way only: first with second, third with fourth, and so on. In a chain of
an odd number one waits on, the first, third, fifth, …: whoever has waited least of these. That is
the largest matching of the chain, and no other of that size serves older tickets. Among tickets
that all accept each other it has the smallest sum of gaps, too.
"""

import numpy as np

from matchmaking.pairing.duels.improve import polish, settle
from matchmaking.pairing.duels.matching import Matching
from matchmaking.pairing.duels.rating_line import Line, allows_step, near_pairs
from matchmaking.pairing.model.plan import Rules
from matchmaking.pairing.model.proposed import Pairs
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Ints

__all__ = ["as_pairs", "pair", "pair_chains", "pair_line", "pairs_with_next"]

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


def pair_chains(line: Line, matching: Matching) -> None:
    """Pair off the chains of the free places, then the chains of those left, and so on."""
    while (free := matching.free()).size > 1:
        within = line.only(free)
        linked = allows_step(within, 1)
        if not linked.any():
            return
        lower = np.flatnonzero(pairs_with_next(within.rank, linked))
        matching.join(free[lower], free[lower + 1])


def pairs_with_next(rank: Ints, linked: Bools) -> Bools:
    """Whether each place is paired with the next above; `linked` says which chains go on to it."""
    place = np.arange(len(rank))
    starts = np.flatnonzero(np.concatenate(([True], ~linked)))
    sizes = np.diff(starts, append=len(rank))
    offset = place - np.repeat(starts, sizes)
    can_wait = (offset % 2 == 0) & (np.repeat(sizes, sizes) % 2 == 1)
    youngest = np.maximum.reduceat(np.where(can_wait, rank, -1), starts)
    waits = can_wait & (rank == np.repeat(youngest, sizes))
    behind = np.cumsum(waits)  # chains of even size have nobody who waits
    behind -= np.repeat(behind[starts] - waits[starts], sizes)
    pairs: Bools = ~waits & ((offset - behind) % 2 == 0)
    return pairs
