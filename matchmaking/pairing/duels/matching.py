"""Which vertices are paired so far, the graph that a matching is of, and taking changes best first."""

from typing import Protocol

import numpy as np

from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["FREE", "Graph", "Matching", "choose_best_first"]

FREE = -1
# Rounds over arrays pay while they decide this share of what is open; other figures change the
# speed, never the choice.
_LEAST_OPEN, _LEAST_SHARE = 200, 0.02


class Matching:
    """The partner of each of n vertices, or FREE; the one thing here that changes."""

    def __init__(self, n: int) -> None:
        self.partner: Ints = np.full(n, FREE, dtype=np.int64)

    def free(self) -> Ints:
        """Vertices without a partner, in ascending order."""
        return np.flatnonzero(self.partner == FREE)

    def pairs(self) -> tuple[Ints, Ints]:
        """Lower and upper vertex of every pair."""
        lower = np.flatnonzero(self.partner > np.arange(len(self.partner)))
        return lower, self.partner[lower]

    def join(self, one: Ints, other: Ints) -> None:
        """Pair `one` with `other`, one by one; whoever they leave behind must be joined or freed."""
        self.partner[one], self.partner[other] = other, one

    def release(self, vertices: Ints) -> None:
        """Take their partner from these vertices."""
        self.partner[vertices] = FREE


class Graph(Protocol):
    """Which of n vertices accept each other, in ascending order of rating; vertices are int64, edges (m, 2) of them."""

    @property
    def rank(self) -> Ints:
        """int64, length n: 0 for whoever has waited longest."""

    def __len__(self) -> int: ...

    def allows(self, one: Ints, other: Ints) -> Bools:
        """Whether each `one` and `other` accept each other; vertices, which must differ."""

    def gap(self, one: Ints, other: Ints) -> Floats:
        """What a pair dislikes in each other, 0 or more, however long they have waited."""

    def cost(self, one: Ints, other: Ints) -> Floats:
        """`gap`, less what both have earned by waiting; the lowest is the best."""

    def nearest(self, free: Ints) -> Ints:
        """Edges between `free` vertices, which are in ascending order: few, the nearest.

        None only if no two of them accept each other, however far apart.
        """

    def around(self, vertices: Ints) -> Ints:
        """Edges from `vertices` to everybody where the two accept each other; of very many the nearest."""

    def outlasting(self, edges: Ints, free: Ints, partner: Ints) -> Ints:
        """Edges from `free` to all whose partner has waited less.

        edges  what `around` has given for `free`
        """


def choose_best_first(claims: Ints, *, size: int) -> Ints:
    """Indices of the changes taken, of (m, k) `claims` to vertices below `size`, best first.

    The same as walking down the list and taking whatever claims no taken vertex. It is done in
    rounds: a change that is the first open one at all its vertices is taken whatever the others do.
    """
    taken, first_at = np.zeros(size, dtype=np.bool_), np.empty(size, dtype=np.int64)
    is_chosen = np.zeros(len(claims), dtype=np.bool_)
    open_changes, decided = np.arange(len(claims)), 1.0
    while open_changes.size > _LEAST_OPEN and decided > _LEAST_SHARE:
        rows = claims[open_changes]
        order = np.arange(len(rows))
        # Of repeated vertices the last assignment stays, so the best row is written last.
        first_at[rows[::-1].ravel()] = np.repeat(order[::-1], rows.shape[1])
        is_first = (first_at[rows] == order[:, np.newaxis]).all(axis=1)
        is_chosen[open_changes[is_first]] = True
        taken[rows[is_first]] = True
        still = open_changes[~taken[rows].any(axis=1)]
        decided, open_changes = 1 - still.size / open_changes.size, still
    gone = set(np.flatnonzero(taken).tolist()) if open_changes.size else set()
    for change, vertices in zip(open_changes.tolist(), claims[open_changes].tolist(), strict=True):
        if gone.isdisjoint(vertices):
            gone.update(vertices)
            is_chosen[change] = True
    return np.flatnonzero(is_chosen)
