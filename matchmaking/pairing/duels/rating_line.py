"""Tickets in the order of their ratings, where what each accepts is one stretch of neighbours."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from matchmaking.pairing.duels.nearest import accepted_around, nearest_pairs
from matchmaking.pairing.model.rules import Rules
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Line"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Line:
    """n places in ascending order of rating; every array has length n.

    rating  float64, rating points
    earned  float64, rating points of tolerance that waiting has added
    rank    int64, 0 for whoever has waited longest
    low     int64, the first place whose rating this one accepts
    high    int64, the first place above whose rating is too high

    `low` and `high` decide who accepts whom: whole numbers, so that no two ways of computing the
    same gap can disagree.
    """

    rating: Floats
    earned: Floats
    rank: Ints
    low: Ints
    high: Ints

    @classmethod
    def of(cls, tickets: Tickets, rules: Rules) -> tuple[Self, Ints]:
        """The line, and the position in `tickets` of each of its places."""
        return cls.by(tickets, rules.tolerances(tickets.waited), start=rules.gap_start)

    @classmethod
    def by(cls, tickets: Tickets, tolerance: Floats, *, start: float) -> tuple[Self, Ints]:
        """The same from what each ticket accepts by now, `start` of it from the first second on."""
        rank = np.empty(len(tickets), dtype=np.int64)
        rank[tickets.by_age()] = np.arange(len(tickets))
        order = np.lexsort((rank, tickets.rating))
        rating = tickets.rating[order]
        tolerance = np.minimum(tolerance[order], _span(rating))
        high = _count_accepted(rating, tolerance)
        low = len(tickets) - _count_accepted(-rating[::-1], tolerance[::-1])[::-1]
        earned = tolerance - start
        return cls(rating=rating, earned=earned, rank=rank[order], low=low, high=high), order

    def __len__(self) -> int:
        return len(self.rating)

    def only(self, places: Ints) -> Self:
        """The line of these places alone, given in ascending order."""
        return type(self)(
            rating=self.rating[places],
            earned=self.earned[places],
            rank=self.rank[places],
            low=np.searchsorted(places, self.low[places]),
            high=np.searchsorted(places, self.high[places]),
        )

    def allows(self, one: Ints, other: Ints) -> Bools:
        """Whether each `one` and `other` accept each other; places, which must differ."""
        below, above = np.minimum(one, other), np.maximum(one, other)
        allowed: Bools = (above < self.high[below]) & (self.low[above] <= below)
        return allowed

    def gap(self, one: Ints, other: Ints) -> Floats:
        """Rating points between the places `one` and `other`."""
        gap: Floats = np.abs(self.rating[one] - self.rating[other])
        return gap

    def cost(self, one: Ints, other: Ints) -> Floats:
        """Rating points: the gap, less what both have earned; the lowest is the best.

        A second of waiting counts for as many points as it widens the tolerance by: that is the
        exchange rate between quality and wait which the operator has set.
        """
        cost: Floats = self.gap(one, other) - self.earned[one] - self.earned[other]
        return cost

    def nearest(self, free: Ints) -> Ints:
        """(m, 2) each of `free` with the next above and below it, of them, of mutual acceptance."""
        pairs: Ints = free[nearest_pairs(self.only(free))]
        return pairs

    def around(self, places: Ints) -> Ints:
        """(m, 2) each of `places` with everyone where the two accept each other."""
        return accepted_around(self, places)

    def outlasting(self, calls: Ints, free: Ints, partner: Ints) -> Ints:
        """Those of `calls` who have waited longer than the partner of the one they call."""
        caller, called = calls.T
        kept: Ints = calls[self.rank[caller] < self.rank[partner[called]]]
        return kept


def _count_accepted(rating: Floats, tolerance: Floats) -> Ints:
    """For each place: how many places from the first on are not too high for it."""
    high = np.searchsorted(rating, rating + tolerance, side="right")
    # The sum was rounded, the gap of a pair is rounded otherwise: the gap decides.
    while (more := _next_fits(rating, tolerance, high)).any():
        high[more] = np.searchsorted(rating, rating[high[more]], side="right")
    while (fewer := rating[high - 1] - rating > tolerance).any():
        high[fewer] = np.searchsorted(rating, rating[high[fewer] - 1], side="left")
    return high


def _next_fits(rating: Floats, tolerance: Floats, high: Ints) -> Bools:
    following = np.append(rating, np.inf)[high]
    fits: Bools = (following - rating <= tolerance) & (high < len(rating))
    return fits


def _span(rating: Floats) -> float:
    """More tolerance than this means nothing, and infinite tolerance would spoil every sum."""
    return float(rating[-1] - rating[0]) if rating.size else 0.0
