"""More matches without dropping anybody: both of a pair play one who waits instead of each other."""

import numpy as np

from matchmaking.pairing.duels.choosing import choose_best_first
from matchmaking.pairing.duels.field import Field
from matchmaking.pairing.duels.matching import Matching
from ratings.systems.arrays import Ints

__all__ = ["split_pairs"]

_NONE = -1


def split_pairs(field: Field, matching: Matching, calls: Ints) -> bool:
    """Split pairs of which each has a caller of their own, cheapest first; whether there was any.

    calls  (m, 2), every free place with every paired one where the two accept each other
    """
    best, next_best = _two_best_callers(field, calls)
    lower, upper = matching.pairs()
    # Where the same caller is the best of both, one of the two must do with the next best.
    choices = ((best, best), (best, next_best), (next_best, best))
    claims = np.concatenate(
        [np.stack((one[lower], lower, upper, two[upper]), axis=1) for one, two in choices]
    )
    one, two = claims[:, 0], claims[:, 3]
    claims = claims[(one != _NONE) & (two != _NONE) & (one != two)]
    cost = field.cost(claims[:, 0], claims[:, 1]) + field.cost(claims[:, 2], claims[:, 3])
    claims = claims[np.argsort(cost, kind="stable")]
    chosen = claims[choose_best_first(claims, size=len(field))]
    matching.join(chosen[:, 0], chosen[:, 1])
    matching.join(chosen[:, 2], chosen[:, 3])
    return bool(len(chosen))


def _two_best_callers(field: Field, calls: Ints) -> tuple[Ints, Ints]:
    """For each place its caller of the lowest cost, and the next; -1 where there is none."""
    caller, called = calls[np.lexsort((field.cost(calls[:, 0], calls[:, 1]), calls[:, 1]))].T
    is_best = np.diff(called, prepend=_NONE) != 0
    is_next = ~is_best & np.concatenate(([False], is_best[:-1]))
    best, next_best = np.full((2, len(field)), _NONE, dtype=np.int64)
    best[called[is_best]] = caller[is_best]
    next_best[called[is_next]] = caller[is_next]
    return best, next_best
