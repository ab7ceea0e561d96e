"""Asking who accepts whom, strand by strand, about no more pairs than need be."""

from collections.abc import Callable, Iterator

import numpy as np

from matchmaking.pairing.duels.rating_line import Line
from matchmaking.pairing.duels.strands import Spans, Strands
from ratings.systems.arrays import Bools, Ints

__all__ = ["Asking"]

Passes = Callable[[Ints, Ints], Bools]

_AT_ONCE = 1 << 18  # pairs asked about in one go
_MANY = 1 << 22  # answers beyond which only the nearest are asked about where that is enough
_NEAREST = 64  # entries to either side, then
_ENOUGH = 1 << 20  # answers after which a search for any stops

# Places with fewer near neighbours than that look further: their neighbours may all be refused by
# a condition that divides nothing.
_FEW, _FURTHER = 3, 32


class Asking:
    """Remembers what it was told of `around`: who accepts whom does not change in a sweep.

    is_whole  whether all that `around` has given was complete
    """

    def __init__(self, line: Line, strands: Strands, passes: Passes) -> None:
        self.line, self.strands, self.passes = line, strands, passes
        self.n = len(line)
        self.is_whole = True
        self._known: Bools = np.zeros(self.n, dtype=np.bool_)
        self._calls: Ints = np.empty((0, 2), dtype=np.int64)

    def near(self, strands: Strands, *, reach: int) -> Ints:
        """(m, 2) lower and upper of those at most `reach` entries apart who accept each other."""
        lower, upper = strands.steps(reach)
        fits = np.flatnonzero(
            (upper < self.line.high.take(lower)) & (self.line.low.take(upper) <= lower)
        )
        lower, upper = strands.once(lower.take(fits), upper.take(fits))
        passed = np.flatnonzero(self.passes(lower, upper))
        return np.stack((lower.take(passed), upper.take(passed)), axis=1)

    def near_enough(self, leaning: Strands, *, reach: int) -> Ints:
        """`near` in strands and leanings, and further away for those who have few neighbours there."""
        near = self.near(self.strands, reach=reach)
        if leaning is not self.strands:
            near = self._once(np.concatenate((near, self.near(leaning, reach=reach))))
        few = np.flatnonzero(np.bincount(near.ravel(), minlength=self.n) < _FEW)
        spans = self.strands.spans(few, self.line.low, self.line.high)
        found = [*self._ask(self.strands, self.strands.within(spans, _FURTHER))]
        if not found:
            return near
        further = np.sort(np.concatenate(found), axis=1)
        return self._once(np.concatenate((near, further)))

    def any_of(self, among: Strands, free: Ints) -> Ints:
        """Pairs of `free`, of whom the strands `among` are; none only if there are none at all."""
        calls = self.around(free)
        if self.is_whole:
            is_free = np.zeros(self.n, dtype=np.bool_)
            is_free[free] = True
            one, other = calls.T
            known: Ints = calls[(one < other) & is_free.take(other)]
            return known
        found, number = [], 0
        above = among.spans(free, np.arange(self.n) + 1, self.line.high)
        for pairs in self._ask(among, above):
            found.append(pairs)
            if (number := number + len(pairs)) > _ENOUGH:
                break
        return self._once(np.concatenate(found)) if number else self._calls[:0]

    def around(self, places: Ints) -> Ints:
        """(m, 2) each of `places` with those it accepts and who accept it."""
        if (new := places[~self._known.take(places)]).size:
            self._known[new] = True
            self._calls = self._once(np.concatenate((self._calls, *self._ask_around(new))))
        is_asked = np.zeros(self.n, dtype=np.bool_)
        is_asked[places] = True
        calls: Ints = self._calls[is_asked.take(self._calls[:, 0])]
        return calls

    def outlasting(self, free: Ints, partner: Ints) -> Ints:
        """(m, 2) each of `free` with everyone of mutual acceptance whose partner is younger."""
        spans = self.strands.spans(free, self.line.low, self.line.high)
        rank_beside = np.where(partner < 0, -1, self.line.rank.take(partner))
        found = [*self._ask(self.strands, spans, rank_beside)]
        return self._once(np.concatenate(found)) if found else self._calls[:0]

    def _ask_around(self, places: Ints) -> list[Ints]:
        """Whom the places accept; of very many the nearest, unless few of the nearest suit them."""
        spans = self.strands.spans(places, self.line.low, self.line.high)
        if (total := _length(spans)) > _MANY:
            nearest = self.strands.within(spans, _NEAREST)
            found = [*self._ask(self.strands, nearest)]
            if sum(map(len, found)) * total > _MANY * _length(nearest):
                self.is_whole = False
                return found
        return [*self._ask_once_each(places)]

    def _ask_once_each(self, places: Ints) -> Iterator[Ints]:
        """Whom the places accept; every two of them are asked about from the lower one alone."""
        is_asking, place = np.zeros(self.n, dtype=np.bool_), np.arange(self.n)
        is_asking[places] = True
        above = self.strands.spans(places, place + 1, self.line.high)
        for pairs in self._ask(self.strands, above):
            yield pairs
            yield pairs[is_asking.take(pairs[:, 1])][:, ::-1]
        others = self.strands.only(~is_asking)
        yield from self._ask(others, self.strands.spans(places, self.line.low, place, others))

    def _ask(
        self, strands: Strands, spans: Spans, rank_beside: Ints | None = None
    ) -> Iterator[Ints]:
        """(m, 2) of the pairs in the spans those that accept each other, some spans at a time.

        rank_beside  if given, only those are asked about beside whom somebody of a higher rank is
        """
        line, counts = self.line, spans.stop - spans.start
        total = np.cumsum(counts)
        cuts = np.searchsorted(total, np.arange(_AT_ONCE, total[-1:].sum(), _AT_ONCE))
        for rows in np.split(np.arange(len(counts)), cuts):
            one = np.repeat(spans.place.take(rows), counts.take(rows))
            other = strands.place.take(_runs(spans.start.take(rows), counts.take(rows)))
            asked = (line.low.take(other) <= one) & (one < line.high.take(other)) & (one != other)
            if rank_beside is not None:
                asked &= rank_beside.take(other) > line.rank.take(one)
            fits = np.flatnonzero(asked)
            one, other = one.take(fits), other.take(fits)
            passed = np.flatnonzero(self.passes(one, other))
            yield np.stack((one.take(passed), other.take(passed)), axis=1)

    def _once(self, pairs: Ints) -> Ints:
        """Each pair once, in ascending order."""
        key = np.sort(pairs[:, 0] * self.n + pairs[:, 1])
        first, second = np.divmod(key[np.diff(key, prepend=-1) != 0], self.n)
        once: Ints = np.stack((first, second), axis=1)
        return once


def _length(spans: Spans) -> int:
    return int((spans.stop - spans.start).sum())


def _runs(starts: Ints, counts: Ints) -> Ints:
    """start, start + 1, …: `counts` numbers for each start, one after the other."""
    before = np.cumsum(counts) - counts
    runs: Ints = np.arange(counts.sum()) + np.repeat(starts - before, counts)
    return runs
