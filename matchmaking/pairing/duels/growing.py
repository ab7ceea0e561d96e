"""More matches without dropping anybody: alternating paths between two who wait.

Such a path goes from a free place to a paired one, to its partner, to another paired one, to its
partner, …, to a free place. Pairing its steps the other way round matches both ends. Trees of paths
grow from all free places at once, each pair in one tree at most; where two trees touch there is a
path, and paths of different trees share no place. (Edmonds 1965, without shrinking odd circles.)
"""

import numpy as np

from matchmaking.pairing.duels.choosing import choose_best_first
from matchmaking.pairing.duels.field import Field
from matchmaking.pairing.duels.matching import FREE, Matching
from ratings.systems.arrays import Ints

__all__ = ["match_along_paths"]

_NONE = -1


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
