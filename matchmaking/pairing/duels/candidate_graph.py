"""Tickets in the order of their ratings, who accept each other by any conditions.

They are found block by block, by asking about no more pairs than need be.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.duels.blocks import Blocks, Ranges
from matchmaking.pairing.duels.interval_graph import IntervalGraph
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["CandidateGraph"]

Passes = Callable[[Ints, Ints], Bools]

_LONGEST = 86_400.0  # seconds: who has waited for a day has waited long enough to be first
_REACH_OF_FREE = 4
_AT_ONCE = 1 << 15  # pairs asked about in one go: these stay in the processor's cache
_MANY = 1 << 22  # answers beyond which only the nearest are asked about where that is enough
_NEAREST = 64  # entries to either side, then
_ENOUGH = 1 << 20  # answers after which a search for any stops

# Vertices with fewer near neighbours than that look further: their neighbours may all be refused by
# a condition that divides nothing.
_FEW, _FURTHER = 3, 32


class CandidateSearch:
    """Remembers the answers of `around`: which vertices accept each other does not change in a sweep.

    intervals  what the ratings alone say
    blocks     what the conditions that divide tickets into classes say
    passes     whether pairs of vertices pass all conditions but that of the rating
    is_whole   whether all that `around` has given was complete
    """

    def __init__(self, intervals: IntervalGraph, blocks: Blocks, passes: Passes) -> None:
        self.intervals, self.blocks, self.passes = intervals, blocks, passes
        self.n = len(intervals)
        self.is_whole = True
        self._known: Bools = np.zeros(self.n, dtype=np.bool_)
        self._edges: Ints = np.empty((0, 2), dtype=np.int64)

    def near(self, blocks: Blocks, *, reach: int) -> Ints:
        """(m, 2) lower and upper of those at most `reach` entries apart who accept each other."""
        low, high = self.intervals.low, self.intervals.high
        lower, upper = blocks.pairs_within(reach)
        fits = np.flatnonzero((upper < high.take(lower)) & (low.take(upper) <= lower))
        lower, upper = blocks.distinct(lower.take(fits), upper.take(fits))
        passed = np.flatnonzero(self.passes(lower, upper))
        return np.stack((lower.take(passed), upper.take(passed)), axis=1)

    def near_enough(self, preferred: Blocks, *, reach: int) -> Ints:
        """`near` in the blocks and those preferred, and further away for those with few neighbours there."""
        near = self.near(self.blocks, reach=reach)
        if preferred is not self.blocks:
            near = self._distinct(np.concatenate((near, self.near(preferred, reach=reach))))
        few = np.flatnonzero(np.bincount(near.ravel(), minlength=self.n) < _FEW)
        ranges = self.blocks.ranges(few, self.intervals.low, self.intervals.high)
        found = [*self._ask(self.blocks, self.blocks.shortened(ranges, _FURTHER))]
        if not found:
            return near
        further = np.sort(np.concatenate(found), axis=1)
        return self._distinct(np.concatenate((near, further)))

    def any_of(self, among: Blocks, free: Ints) -> Ints:
        """Edges between `free`, which the blocks `among` hold; none only if there are none at all."""
        edges = self.around(free)
        if self.is_whole:
            is_free = np.zeros(self.n, dtype=np.bool_)
            is_free[free] = True
            one, other = edges.T
            known: Ints = edges[(one < other) & is_free.take(other)]
            return known
        found, number = [], 0
        above = among.ranges(free, np.arange(self.n) + 1, self.intervals.high)
        for pairs in self._ask(among, above):
            found.append(pairs)
            if (number := number + len(pairs)) > _ENOUGH:
                break
        return self._distinct(np.concatenate(found)) if number else self._edges[:0]

    def around(self, vertices: Ints) -> Ints:
        """(m, 2) each of `vertices` with those it accepts and who accept it.

        Of very many the nearest, unless few of the nearest suit.
        """
        if (new := vertices[~self._known.take(vertices)]).size:
            self._known[new] = True
            low, high, vertex = self.intervals.low, self.intervals.high, np.arange(self.n)
            blocks, found = self.blocks, list[Ints]()
            ranges = blocks.ranges(new, low, high)
            if (total := ranges.total) > _MANY:
                nearest = blocks.shortened(ranges, _NEAREST)
                found = [*self._ask(blocks, nearest)]
                if sum(map(len, found)) * total <= _MANY * nearest.total:
                    found = []
            if found:
                self.is_whole = False
            else:  # every two of them are asked about from the lower one alone
                is_new = np.zeros(self.n, dtype=np.bool_)
                is_new[new] = True
                for pairs in self._ask(blocks, blocks.ranges(new, vertex + 1, high)):
                    found += [pairs, pairs[is_new.take(pairs[:, 1])][:, ::-1]]
                others = blocks.only(~is_new)
                found += self._ask(others, blocks.ranges(new, low, vertex, others))
            self._edges = self._distinct(np.concatenate((self._edges, *found)))
        is_asked = np.zeros(self.n, dtype=np.bool_)
        is_asked[vertices] = True
        edges: Ints = self._edges[is_asked.take(self._edges[:, 0])]
        return edges

    def outlasting(self, free: Ints, partner: Ints) -> Ints:
        """(m, 2) each of `free` with everyone of mutual acceptance whose partner is younger."""
        ranges = self.blocks.ranges(free, self.intervals.low, self.intervals.high)
        partner_rank = np.where(partner < 0, -1, self.intervals.rank.take(partner))
        found = [*self._ask(self.blocks, ranges, partner_rank)]
        return self._distinct(np.concatenate(found)) if found else self._edges[:0]

    def _ask(
        self, blocks: Blocks, ranges: Ranges, partner_rank: Ints | None = None
    ) -> Iterator[Ints]:
        """(m, 2) of the pairs in the ranges those that accept each other, some ranges at a time.

        partner_rank  if given, only those are asked about whose partner's rank is the higher one
        """
        low, high, counts = self.intervals.low, self.intervals.high, ranges.stop - ranges.start
        total = np.cumsum(counts)
        cuts = np.searchsorted(total, np.arange(_AT_ONCE, total[-1:].sum(), _AT_ONCE))
        for rows in np.split(np.arange(len(counts)), cuts):
            count = counts.take(rows)
            one = np.repeat(ranges.vertex.take(rows), count)
            first = ranges.start.take(rows) - (np.cumsum(count) - count)
            other = blocks.vertex.take(np.arange(count.sum()) + np.repeat(first, count))
            asked = (low.take(other) <= one) & (one < high.take(other)) & (one != other)
            if partner_rank is not None:
                asked &= partner_rank.take(other) > self.intervals.rank.take(one)
            if not asked.all():
                fits = np.flatnonzero(asked)
                one, other = one.take(fits), other.take(fits)
            passed = np.flatnonzero(self.passes(one, other))
            yield np.stack((one.take(passed), other.take(passed)), axis=1)

    def _distinct(self, pairs: Ints) -> Ints:
        """Each pair once, in ascending order."""
        key = np.sort(pairs[:, 0] * self.n + pairs[:, 1])
        first, second = np.divmod(key[np.diff(key, prepend=-1) != 0], self.n)
        distinct: Ints = np.stack((first, second), axis=1)
        return distinct


class CandidateGraph:
    """A `Graph` of n vertices by any conditions, the one of the rating among them.

    order      int64, the position in the tickets of each vertex
    intervals  what the ratings alone say
    blocks     what the conditions that divide tickets into classes say
    preferred  what they would say if none of them were dropped or only preferred

    The unit of gaps and costs is a second of waiting.
    """

    def __init__(
        self, tickets: Tickets, accepted: Floats, conditions: Sequence[Condition], *, seconds: float
    ) -> None:
        """`accepted`: rating points each ticket accepts; `seconds`: what a point is worth."""
        self.intervals, self.order = IntervalGraph.of(tickets, accepted)
        tickets = tickets.in_order(self.order)  # neighbours lie side by side in memory, too
        self.seconds = seconds
        self.earned: Floats = np.minimum(tickets.waited, _LONGEST)
        self._tickets = tickets
        # Those are asked that have something to say.
        asked = [each.bound(tickets) for each in conditions if not each.is_idle(tickets)]
        self._forbidding: list[tuple[Condition, Floats]] = []
        self._costing: list[Condition] = []
        for condition in asked:
            tolerance = condition.tolerances(tickets)
            if not np.isposinf(tolerance).all():
                self._forbidding.append((condition, tolerance))
            if condition.seconds and tolerance.any():  # where nobody accepts any, none is left
                self._costing.append(condition)
        classes = _classes_of(tickets, [condition for condition, _tolerance in self._forbidding])
        self.blocks = Blocks.of(classes, len(self))
        self.preferred = self.blocks
        if any(condition.use is not Use.MUST for condition in asked):
            musts = [replace(condition, use=Use.MUST) for condition in asked]
            if classes := _classes_of(tickets, musts):
                self.preferred = Blocks.of(classes, len(self))
        self.search = CandidateSearch(self.intervals, self.blocks, self.passes)

    @property
    def rank(self) -> Ints:
        return self.intervals.rank

    def __len__(self) -> int:
        return len(self.order)

    def passes(self, one: Ints, other: Ints) -> Bools:
        """Whether each `one` and `other` pass the conditions, the one of the rating left out."""
        passed = np.zeros(len(one), dtype=np.bool_)
        for part in _parts(len(one)):
            mine, theirs, left = one[part], other[part], np.arange(part.start, part.stop)
            for condition, tolerance in self._forbidding:
                allowed = condition.allows(self._tickets, mine, theirs, tolerance)
                if not allowed.all():
                    at = np.flatnonzero(allowed)
                    mine, theirs, left = mine.take(at), theirs.take(at), left.take(at)
            passed[left] = True
        return passed

    def allows(self, one: Ints, other: Ints) -> Bools:
        allowed = np.empty(len(one), dtype=np.bool_)
        for part in _parts(len(one)):
            mine, theirs = one[part], other[part]
            fits = self.intervals.allows(mine, theirs)
            asked = np.flatnonzero(fits)
            fits[asked] = self.passes(mine.take(asked), theirs.take(asked))
            allowed[part] = fits
        return allowed

    def gap(self, one: Ints, other: Ints) -> Floats:
        """Seconds that each two, who accept each other, would wait to avoid each other."""
        gap = np.zeros(len(one))
        for part in _parts(len(one)):
            mine, theirs, cost = one[part], other[part], gap[part]
            for condition in self._costing:
                cost += condition.cost(self._tickets, mine, theirs)
            cost += self.least_gap(mine, theirs)
        return gap

    def least_gap(self, one: Ints, other: Ints) -> Floats:
        """The part of `gap` that comes of the ratings: it is quick to say."""
        least: Floats = self.intervals.gap(one, other) * self.seconds
        return least

    def cost(self, one: Ints, other: Ints) -> Floats:
        cost: Floats = self.gap(one, other) - self.earned.take(one) - self.earned.take(other)
        return cost

    def near(self, *, reach: int) -> Ints:
        """(m, 2) vertices at most `reach` apart in a block, preferred or not, that accept each other."""
        return self.search.near_enough(self.preferred, reach=reach)

    def nearest(self, free: Ints) -> Ints:
        is_free = np.zeros(len(self), dtype=np.bool_)
        is_free[free] = True
        among = self.blocks.only(is_free)
        near = self.search.near(among, reach=_REACH_OF_FREE)
        return near if len(near) else self.search.any_of(among, free)

    def around(self, vertices: Ints) -> Ints:
        return self.search.around(vertices)

    def outlasting(self, edges: Ints, free: Ints, partner: Ints) -> Ints:
        if not self.search.is_whole:
            return self.search.outlasting(free, partner)
        seeker, neighbour = edges.T
        kept: Ints = edges[self.rank.take(seeker) < self.rank.take(partner.take(neighbour))]
        return kept


def _parts(length: int) -> Iterator[slice]:
    """What is asked in one go of so many pairs, part by part."""
    starts = range(0, length, _AT_ONCE)
    return (slice(start, min(start + _AT_ONCE, length)) for start in starts)


def _classes_of(tickets: Tickets, conditions: Sequence[Condition]) -> list[Ints]:
    """The classes of the conditions that divide the tickets into any."""
    found = (condition.classes(tickets) for condition in conditions)
    return [classes for classes in found if classes is not None]
