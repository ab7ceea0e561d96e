"""Who waits on after a sweep: as few as short detours allow, and never the older for the younger.

A free place *calls* a paired one when the two accept each other. Where both of a pair are called,
by two different callers, the callers take one of the pair each: two more are matched, nobody is
dropped. Where the caller has waited longer than the partner of the one it calls, it takes the
partner's place. Both make the matched tickets, listed by age, better at the first place at which
the list changes, so that settling ends.
"""

import numpy as np

from matchmaking.pairing.choosing import choose_best_first
from matchmaking.pairing.completing import complete
from matchmaking.pairing.line import Line
from matchmaking.pairing.matching import Matching
from matchmaking.pairing.nearest import accepted_around
from ratings.systems.arrays import Floats, Ints

__all__ = ["settle"]


def settle(line: Line, matching: Matching) -> None:
    """Complete the matching, then let callers in until none could gain by one swap."""
    while True:
        complete(line, matching)
        callers, called = accepted_around(line, matching.free())
        if _split_pairs(line, matching, callers, called):
            continue
        if not _swap_in(line, matching, callers, called):
            return


def _split_pairs(line: Line, matching: Matching, callers: Ints, called: Ints) -> bool:
    """Give both of a pair to callers of their own; whether any pair was split."""
    best, other = _two_best_callers(line, callers, called)
    lower, upper = matching.pairs()
    one, two = best[lower], best[upper]
    # The same caller for both: the second best of one of them will do.
    spare_two = np.where(one == two, other[upper], two)
    spare_one = np.where((one == two) & (spare_two < 0), other[lower], one)
    two = np.where((one == two) & (spare_two < 0), two, spare_two)
    one = spare_one
    able = np.flatnonzero((one >= 0) & (two >= 0))
    claims = np.stack((one[able], lower[able], upper[able], two[able]), axis=1)
    cost = line.cost(claims[:, 0], claims[:, 1]) + line.cost(claims[:, 2], claims[:, 3])
    claims = claims[np.argsort(cost, kind="stable")]
    chosen = claims[choose_best_first(claims, size=len(line))]
    matching.join(chosen[:, 0], chosen[:, 1])
    matching.join(chosen[:, 2], chosen[:, 3])
    return bool(len(chosen))


def _two_best_callers(line: Line, callers: Ints, called: Ints) -> tuple[Ints, Ints]:
    """For each place its caller of the lowest cost and the next one; -1 where there is none."""
    order = np.lexsort((line.cost(callers, called), called))
    callers, called = callers[order], called[order]
    is_first = np.diff(called, prepend=-1) != 0
    is_second = np.diff(is_first.astype(np.int8), prepend=0) < 0
    best, other = np.full((2, len(line)), -1, dtype=np.int64)
    best[called[is_first]] = callers[is_first]
    other[called[is_second]] = callers[is_second]
    return best, other


def _swap_in(line: Line, matching: Matching, callers: Ints, called: Ints) -> bool:
    """Let older callers take the place of younger partners; whether anybody could."""
    dropped = matching.partner[called]
    older = line.rank[callers] < line.rank[dropped]
    claims = np.stack((callers[older], called[older], dropped[older]), axis=1)
    claims = claims[np.lexsort((_loss(line, claims), line.rank[claims[:, 0]]))]
    claims = claims[np.diff(claims[:, 0], prepend=-1) != 0]
    chosen = claims[choose_best_first(claims, size=len(line))]
    matching.join(chosen[:, 0], chosen[:, 1])
    matching.release(chosen[:, 2])
    return bool(len(chosen))


def _loss(line: Line, claims: Ints) -> Floats:
    caller, called, dropped = claims.T
    return line.cost(caller, called) - line.cost(called, dropped)
