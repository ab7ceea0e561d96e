"""Tickets in the order of their ratings, where what each accepts is an interval of its neighbours."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["IntervalGraph"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class IntervalGraph:
    """A `Graph` of n vertices in ascending order of rating; every array has length n.

    rating  float64, rating points
    earned  float64, rating points of tolerance that waiting has added
    rank    int64, 0 for whoever has waited longest
    low     int64, the first vertex whose rating this one accepts
    high    int64, the first vertex above whose rating is too high

    `low` and `high` decide which vertices accept each other: whole numbers, so that no two ways of computing the
    same gap can disagree.
    """

    rating: Floats
    earned: Floats
    rank: Ints
    low: Ints
    high: Ints

    @classmethod
    def of(cls, tickets: Tickets, tolerance: Floats, *, start: float = 0.0) -> tuple[Self, Ints]:
        """The graph, and the position in `tickets` of each of its vertices.

        tolerance  rating points that each ticket accepts by now, `start` of it from the first second on
        """
        rank = np.empty(len(tickets), dtype=np.int64)
        rank[tickets.by_age()] = np.arange(len(tickets))
        order = np.lexsort((rank, tickets.rating))
        rating = tickets.rating[order]
        # More tolerance than the span means nothing, and infinite tolerance would spoil every sum.
        span = float(rating[-1] - rating[0]) if rating.size else 0.0
        tolerance = np.minimum(tolerance[order], span)
        high = _count_accepted(rating, tolerance)
        low = len(tickets) - _count_accepted(-rating[::-1], tolerance[::-1])[::-1]
        earned = tolerance - start
        return cls(rating=rating, earned=earned, rank=rank[order], low=low, high=high), order

    def __len__(self) -> int:
        return len(self.rating)

    def only(self, vertices: Ints) -> Self:
        """The graph of these vertices alone, given in ascending order."""
        return type(self)(
            rating=self.rating[vertices],
            earned=self.earned[vertices],
            rank=self.rank[vertices],
            low=np.searchsorted(vertices, self.low[vertices]),
            high=np.searchsorted(vertices, self.high[vertices]),
        )

    def allows(self, one: Ints, other: Ints) -> Bools:
        """Whether each `one` and `other` accept each other; vertices, which must differ."""
        below, above = np.minimum(one, other), np.maximum(one, other)
        allowed: Bools = (above < self.high[below]) & (self.low[above] <= below)
        return allowed

    def allows_step(self, step: int) -> Bools:
        """Whether each vertex and the one `step` further on accept each other: length n - step."""
        vertex = np.arange(len(self) - step)
        allowed: Bools = (vertex + step < self.high[:-step]) & (self.low[step:] <= vertex)
        return allowed

    def gap(self, one: Ints, other: Ints) -> Floats:
        """Rating points between the vertices `one` and `other`."""
        gap: Floats = np.abs(self.rating[one] - self.rating[other])
        return gap

    def cost(self, one: Ints, other: Ints) -> Floats:
        """Rating points: the gap, less what both have earned; the lowest is the best.

        A second of waiting counts for as many points as it widens the tolerance by: that is the
        exchange rate between quality and wait which the operator has set.
        """
        cost: Floats = self.gap(one, other) - self.earned[one] - self.earned[other]
        return cost

    def near(self, *, reach: int) -> Ints:
        """(m, 2) vertices at most `reach` apart that accept each other."""
        found = [np.empty((0, 2), dtype=np.int64)]
        for step in range(1, min(reach, len(self) - 1) + 1):
            lower = np.flatnonzero(self.allows_step(step))
            found.append(np.stack((lower, lower + step), axis=1))
        return np.concatenate(found)

    def nearest(self, free: Ints) -> Ints:
        """(m, 2) each of `free` with the next above and the next below it, of them, of mutual acceptance.

        However far apart: a vertex has an edge here unless none of `free` suits it.
        """
        among = self.only(free)
        n, vertex = len(among), np.arange(len(among))
        above = _first_above(among.low)
        below = n - 1 - _first_above(n - among.high[::-1])[::-1]
        up, down = np.flatnonzero(above < among.high), np.flatnonzero(below >= among.low)
        down = down[above[below[down]] != down]  # the others are there from below
        upwards = np.stack((vertex[up], above[up]), axis=1)
        downwards = np.stack((below[down], vertex[down]), axis=1)
        edges: Ints = free[np.concatenate((upwards, downwards))]
        return edges

    def around(self, vertices: Ints) -> Ints:
        """(m, 2) each of `vertices` with everyone where the two accept each other.

        Meant for the vertices a maximal matching leaves free. As those do not suit each other, two with
        tolerances between T and 2T are more than T apart: their intervals cover no vertex more than five
        times, and all intervals together hold about n times the number of such doublings.
        """
        counts = self.high[vertices] - self.low[vertices]
        one = np.repeat(vertices, counts)
        starts = self.low[vertices] - (np.cumsum(counts) - counts)
        other = np.arange(one.size) + np.repeat(starts, counts)
        keep = self.allows(one, other) & (one != other)
        return np.stack((one[keep], other[keep]), axis=1)

    def outlasting(self, edges: Ints, free: Ints, partner: Ints) -> Ints:
        """Those of `edges` whose first has waited longer than the partner of the second."""
        seeker, neighbour = edges.T
        kept: Ints = edges[self.rank[seeker] < self.rank[partner[neighbour]]]
        return kept


def _count_accepted(rating: Floats, tolerance: Floats) -> Ints:
    """For each vertex: how many vertices from the first on are not too high for it."""
    high = np.searchsorted(rating, rating + tolerance, side="right")
    # The sum was rounded, the gap of a pair is rounded otherwise: the gap decides.
    following = np.append(rating, np.inf)
    while (more := (following[high] - rating <= tolerance) & (high < len(rating))).any():
        high[more] = np.searchsorted(rating, rating[high[more]], side="right")
    while (fewer := rating[high - 1] - rating > tolerance).any():
        high[fewer] = np.searchsorted(rating, rating[high[fewer] - 1], side="left")
    return high


def _first_above(low: Ints) -> Ints:
    """For each vertex the first one above it whose `low` reaches down to it; n where there is none.

    By doubling: the least `low` of 1, 2, 4, … vertices from each on; then the longest stretches in
    which nobody reaches down are skipped, halving.
    """
    n = len(low)
    least = [low]
    while (width := 1 << (len(least) - 1)) < n:
        step = least[-1].copy()
        np.minimum(step[:-width], step[width:], out=step[:-width])
        least.append(step)
    vertex, seek = np.arange(n), np.arange(1, n + 1)
    for level in reversed(range(len(least))):
        skipped = (seek < n) & (least[level][np.minimum(seek, n - 1)] > vertex)
        seek += skipped << level
    return np.minimum(seek, n)
