"""Who waits on after a sweep: as few as short paths allow, and never the older for the younger.

A free place *calls* a paired one when the two accept each other. Pairs are split between two
callers, and longer paths between callers are matched anew: two more are matched. A caller who has
waited longer than the partner of the one it calls takes that partner's place. All of this improves
the list of those matched, oldest first, at the first place at which the list changes: settling
ends.

The steps: from nothing to a maximal matching, best first; more matches where both of a pair play one who waits instead
of each other, and along alternating paths between two who wait; smaller gaps for the same tickets, where two pairs
change partners and both sums gain by it.

An alternating path goes from a free place to a paired one, to its partner, to another paired one, to its partner, …, to
a free place. Pairing its steps the other way round matches both ends. Trees of paths grow from all free places at once,
each pair in one tree at most; where two trees touch there is a path, and paths of different trees share no place.
(Edmonds 1965, without shrinking odd circles.)
"""

import numpy as np

from matchmaking.pairing.duels.matching import FREE, Field, Matching, choose_best_first
from ratings.systems.arrays import Ints

__all__ = ["complete", "match_along_paths", "polish", "settle", "split_pairs"]

_NONE = -1


def settle(field: Field, matching: Matching, near: Ints, *, depth: int) -> None:
    """Complete the matching, then let callers in until none could gain by one swap.

    near, depth  as for `match_along_paths`
    """
    while True:
        complete(field, matching)
        free = matching.free()
        calls = field.around(free)
        if not (
            split_pairs(field, matching, calls)
            or match_along_paths(field, matching, calls, near, depth=depth)
            or _swap_in(field, matching, field.outlasting(calls, free, matching.partner))
        ):
            return


def _swap_in(field: Field, matching: Matching, calls: Ints) -> bool:
    """Let callers take the places of partners who have waited less; whether anybody could."""
    caller, called = calls.T
    dropped = matching.partner[called]
    loss = field.cost(caller, called) - field.cost(called, dropped)
    # The oldest caller first, and of each caller the swap that costs least.
    order = np.lexsort((loss, field.rank[caller]))
    order = order[np.diff(caller[order], prepend=-1) != 0]
    claims = np.stack((caller, called, dropped), axis=1)[order]
    chosen = claims[choose_best_first(claims, size=len(field))]
    matching.join(chosen[:, 0], chosen[:, 1])
    matching.release(chosen[:, 2])
    return bool(len(chosen))


def complete(field: Field, matching: Matching) -> None:
    """Pair free places until no two of them accept each other, however far apart."""
    while (free := matching.free()).size > 1:
        pairs = field.nearest(free)
        if not len(pairs):
            return
        _join_best(field, matching, pairs)


def _join_best(field: Field, matching: Matching, pairs: Ints) -> None:
    lower, upper = pairs.T
    pairs = pairs[np.argsort(field.cost(lower, upper), kind="stable")]
    chosen = pairs[choose_best_first(pairs, size=len(field))]
    matching.join(chosen[:, 0], chosen[:, 1])


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


def match_along_paths(
    field: Field, matching: Matching, calls: Ints, near: Ints, *, depth: int
) -> bool:
    """Match free places along paths through at most 2 · `depth` pairs; whether there was any.

    calls  (m, 2), every free place with every paired one where the two accept each other
    near   (m, 2), other places that accept each other, for the steps between pairs
    """
    if (calls[:1, 0] == calls[:, 0]).all():  # a path needs a caller at either end
        return False
    trees = _Trees(field, matching)
    trees.grow(calls)
    steps = np.concatenate((near, near[:, ::-1]))
    for _ in range(depth - 1):
        if not trees.grow(steps):
            break
    return trees.join_touching(np.concatenate((calls, near)))


class _Trees:
    """Places that a path can end at: the free one it comes from, and the end before.

    Between an end and the end before lies the partner of the former.
    """

    def __init__(self, field: Field, matching: Matching) -> None:
        self.field, self.matching = field, matching
        self.root: Ints = np.full(len(field), _NONE, dtype=np.int64)
        self.before = self.root.copy()
        free = matching.free()
        self.root[free] = free

    def grow(self, steps: Ints) -> bool:
        """Lengthen paths by the best of the `steps`, (m, 2) from and to; whether any could be."""
        steps = steps[self.root[steps[:, 0]] != _NONE]
        end = self.matching.partner[steps[:, 1]]
        is_new = (end != FREE) & (self.root[steps[:, 1]] == _NONE) & (self.root[end] == _NONE)
        steps, end = steps[is_new], end[is_new]
        pair = np.minimum(steps[:, 1], end)
        order = np.lexsort((self.field.cost(steps[:, 0], steps[:, 1]), pair))
        order = order[np.diff(pair[order], prepend=_NONE) != 0]
        start, end = steps[order, 0], end[order]
        self.root[end], self.before[end] = self.root[start], start
        return bool(order.size)

    def join_touching(self, steps: Ints) -> bool:
        """Pair along the paths that the best of the `steps` close; whether there was any."""
        roots = self.root[steps]
        closes = (roots != _NONE).all(axis=1) & (roots[:, 0] != roots[:, 1])
        steps, roots = steps[closes], roots[closes]
        order = np.argsort(self.field.cost(steps[:, 0], steps[:, 1]), kind="stable")
        chosen = steps[order[choose_best_first(roots[order], size=len(self.field))]]
        self._join(chosen)
        return bool(len(chosen))

    def _join(self, steps: Ints) -> None:
        partner = self.matching.partner.copy()
        self.matching.join(steps[:, 0], steps[:, 1])
        ends = steps.ravel()
        while (ends := ends[partner[ends] != FREE]).size:
            self.matching.join(partner[ends], self.before[ends])
            ends = self.before[ends]


def polish(field: Field, matching: Matching, near: Ints, *, rounds: int) -> None:
    """Exchange partners while that makes the two gaps smaller together.

    Tried between `near`, (m, 2) places that accept each other. Nobody is matched or dropped by it.
    Ends after `rounds` at the latest.
    """
    one, other = near[(matching.partner[near] != FREE).all(axis=1)].T
    for _ in range(rounds):
        x, y = matching.partner[one], matching.partner[other]
        gain = field.gap(one, x) + field.gap(other, y) - field.gap(one, other) - field.gap(x, y)
        better = np.flatnonzero((gain > 1e-9) & field.allows(x, y))
        if not better.size:
            return
        better = better[np.argsort(-gain[better], kind="stable")]
        claims = np.stack((one, other, x, y), axis=1)[better]
        chosen = claims[choose_best_first(claims, size=len(field))]
        matching.join(chosen[:, 0], chosen[:, 1])
        matching.join(chosen[:, 2], chosen[:, 3])
