"""Blocks of vertices that may have something in common: whoever shares no block need not be asked about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Blocks", "Ranges", "columns_of"]

_MOST_ENTRIES = 8  # for each vertex; a condition that would lead to more divides nothing
_BITS = 63


@dataclass(frozen=True, slots=True, eq=False)
class Ranges:
    """Which vertices to ask about: for each row a vertex and entries of its block, from start to stop - 1."""

    vertex: Ints
    start: Ints
    stop: Ints

    @property
    def total(self) -> int:
        """How many pairs that are."""
        return int((self.stop - self.start).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """e entries of n vertices, in the order of blocks and in each block of vertices.

    block   int64 (e,)
    vertex  int64 (e,); a vertex stands in every block that it has a class for in each condition
    n       how many vertices there are
    """

    block: Ints
    vertex: Ints
    n: int

    @classmethod
    def of(cls, classes: Sequence[Ints], n: int) -> Self:
        """By classes as bits, an array of length n for each condition."""
        block, vertex = np.zeros(n, dtype=np.int64), np.arange(n)
        # Those first of which a ticket has the smallest share of the classes, on average.
        columns = [columns_of(own) for own in classes]
        for at in np.argsort([has.sum() / max(has.size, 1) for has in columns], kind="stable"):
            has = columns[at]
            if has.sum(axis=1).take(vertex).sum() <= _MOST_ENTRIES * n:
                row, column = np.nonzero(has.take(vertex, axis=0))
                block, vertex = block.take(row) * has.shape[1] + column, vertex.take(row)
        order = np.argsort(block * n + vertex, kind="stable")
        return cls(block.take(order), vertex.take(order), n)

    def only(self, is_kept: Bools) -> Self:
        """The blocks of those vertices alone; vertices keep their numbers."""
        kept = np.flatnonzero(is_kept.take(self.vertex))
        return type(self)(self.block.take(kept), self.vertex.take(kept), self.n)

    def longest_only(self) -> Self:
        """Every vertex in one block alone: the longest of its blocks, of equal ones the first."""
        lengths = np.bincount(self.block).take(self.block)
        order = np.lexsort((-lengths, self.vertex))
        first = np.diff(self.vertex.take(order), prepend=-1) != 0
        kept = np.sort(order[first])
        return type(self)(self.block.take(kept), self.vertex.take(kept), self.n)

    def pairs_within(self, reach: int) -> tuple[Ints, Ints]:
        """Lower and upper vertex of every two entries of a block at most `reach` apart."""
        lower, upper = [self.vertex[:0]], [self.vertex[:0]]
        for step in range(1, min(reach, len(self.vertex) - 1) + 1):
            at = np.flatnonzero(self.block[step:] == self.block[:-step])
            lower.append(self.vertex.take(at))
            upper.append(self.vertex.take(at + step))
        return np.concatenate(lower), np.concatenate(upper)

    def distinct(self, lower: Ints, upper: Ints) -> tuple[Ints, Ints]:
        """The pairs of vertices that `pairs_within` gives, but none of them twice."""
        is_often = np.bincount(self.vertex, minlength=self.n) > 1
        could = is_often.take(lower) & is_often.take(upper)
        if not could.any():
            return lower, upper
        key = np.sort(lower[could] * self.n + upper[could])
        low, high = np.divmod(key[np.diff(key, prepend=-1) != 0], self.n)
        return np.concatenate((lower[~could], low)), np.concatenate((upper[~could], high))

    def ranges(
        self, vertices: Ints, low: Ints, high: Ints, among: "Blocks | None" = None
    ) -> Ranges:
        """Of each entry of `vertices` the entries with vertices from `low` to before `high`.

        low, high  of all n vertices
        among      whose entries those are: of the same blocks, some vertices left out; None: these
        """
        is_asked = np.zeros(self.n, dtype=np.bool_)
        is_asked[vertices] = True
        entry = np.flatnonzero(is_asked.take(self.vertex))
        vertex, base = self.vertex.take(entry), self.block.take(entry) * self.n
        among = self if among is None else among
        keys = among.block * self.n + among.vertex
        start = np.searchsorted(keys, base + low.take(vertex))
        return Ranges(vertex, start, np.searchsorted(keys, base + high.take(vertex)))

    def shortened(self, ranges: Ranges, reach: int) -> Ranges:
        """The same ranges, no longer than `reach` entries to either side of the entry itself."""
        base = self.block.take(np.minimum(ranges.start, len(self.vertex) - 1)) * self.n
        entry = np.searchsorted(self.block * self.n + self.vertex, base + ranges.vertex)
        start = np.maximum(ranges.start, entry - reach)
        return Ranges(ranges.vertex, start, np.minimum(ranges.stop, entry + reach + 1))


def columns_of(classes: Ints) -> Bools:
    """(n, c) who has each class, without those that another makes needless.

    A class is needless when everyone in it is in another as well: who shares the one shares the
    other. So what nobody names but those who accept anything takes no place.
    """
    kinds, kind = np.unique(classes, return_inverse=True)
    has = (kinds[:, np.newaxis] >> np.arange(_BITS) & 1).astype(np.bool_)
    has = has[:, has.any(axis=0)]
    counts: Floats = has.astype(np.float64)
    both = counts.T @ counts
    size = np.diagonal(both)
    is_within = both == size[:, np.newaxis]
    bit = np.arange(len(size))
    is_smaller = (size[:, np.newaxis] < size) | (
        (size[:, np.newaxis] == size) & (bit[:, np.newaxis] > bit)
    )
    needless = (is_within & is_smaller).any(axis=1)
    found: Bools = has[:, ~needless].take(kind, axis=0)
    return found
