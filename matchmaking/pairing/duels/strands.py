"""Places by what they may have in common: whoever shares no strand need not be asked about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Spans", "Strands", "columns_of"]

_MOST_ENTRIES = 8  # for each place; a condition that would lead to more divides nothing
_BITS = 63


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Whom to ask about: for each row a place and entries of its strand, from start to stop - 1."""

    place: Ints
    start: Ints
    stop: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Strands:
    """e entries of n places, in the order of strands and in each strand of places.

    strand  int64 (e,)
    place   int64 (e,); a place stands in every strand that it has a class for in each condition
    n       how many places there are
    """

    strand: Ints
    place: Ints
    n: int

    @classmethod
    def of(cls, classes: Sequence[Ints], n: int) -> Self:
        """By classes as bits, an array of length n for each condition."""
        strand, place = np.zeros(n, dtype=np.int64), np.arange(n)
        for has in sorted(map(columns_of, classes), key=_share):
            if has.sum(axis=1).take(place).sum() <= _MOST_ENTRIES * n:
                row, column = np.nonzero(has.take(place, axis=0))
                strand, place = strand.take(row) * has.shape[1] + column, place.take(row)
        order = np.argsort(strand * n + place, kind="stable")
        return cls(strand.take(order), place.take(order), n)

    def only(self, is_kept: Bools) -> Self:
        """The strands of those places alone; places keep their numbers."""
        kept = np.flatnonzero(is_kept.take(self.place))
        return type(self)(self.strand.take(kept), self.place.take(kept), self.n)

    def apart(self) -> Self:
        """Every place in one strand alone: the longest of its strands, of equal ones the first."""
        lengths = np.bincount(self.strand).take(self.strand)
        order = np.lexsort((-lengths, self.place))
        first = np.diff(self.place.take(order), prepend=-1) != 0
        kept = np.sort(order[first])
        return type(self)(self.strand.take(kept), self.place.take(kept), self.n)

    def steps(self, reach: int) -> tuple[Ints, Ints]:
        """Lower and upper place of every two entries of a strand at most `reach` apart."""
        lower, upper = [self.place[:0]], [self.place[:0]]
        for step in range(1, min(reach, len(self.place) - 1) + 1):
            at = np.flatnonzero(self.strand[step:] == self.strand[:-step])
            lower.append(self.place.take(at))
            upper.append(self.place.take(at + step))
        return np.concatenate(lower), np.concatenate(upper)

    def once(self, lower: Ints, upper: Ints) -> tuple[Ints, Ints]:
        """The pairs of places that `steps` gives, but none of them twice."""
        is_often = np.bincount(self.place, minlength=self.n) > 1
        could = is_often.take(lower) & is_often.take(upper)
        if not could.any():
            return lower, upper
        key = np.sort(lower[could] * self.n + upper[could])
        low, high = np.divmod(key[np.diff(key, prepend=-1) != 0], self.n)
        return np.concatenate((lower[~could], low)), np.concatenate((upper[~could], high))

    def spans(self, places: Ints, low: Ints, high: Ints, among: "Strands | None" = None) -> Spans:
        """Of each entry of `places` the entries with places from `low` to before `high`.

        low, high  of all n places
        among      whose entries those are: of the same strands, some places left out; None: these
        """
        is_asked = np.zeros(self.n, dtype=np.bool_)
        is_asked[places] = True
        entry = np.flatnonzero(is_asked.take(self.place))
        place, base = self.place.take(entry), self.strand.take(entry) * self.n
        among = self if among is None else among
        keys = among.strand * self.n + among.place
        start = np.searchsorted(keys, base + low.take(place))
        return Spans(place, start, np.searchsorted(keys, base + high.take(place)))

    def within(self, spans: Spans, reach: int) -> Spans:
        """The same spans, no longer than `reach` entries to either side of the entry itself."""
        base = self.strand.take(np.minimum(spans.start, len(self.place) - 1)) * self.n
        entry = np.searchsorted(self.strand * self.n + self.place, base + spans.place)
        start = np.maximum(spans.start, entry - reach)
        return Spans(spans.place, start, np.minimum(spans.stop, entry + reach + 1))


def _share(has: Bools) -> float:
    """How many of the classes a ticket has on average, of all that there are."""
    return float(has.sum()) / max(has.size, 1)


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
