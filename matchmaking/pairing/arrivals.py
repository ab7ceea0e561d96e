"""How many tickets come at which rating, learned from those that came lately, and how near a partner to wait for."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from ratings.systems.arrays import Floats

__all__ = ["FEWEST", "ArrivalRates", "ExpectedGaps"]

# Of fewer tickets nothing is concluded.
FEWEST = 20
_GRID = 129
# A rating nobody came at is no further from the others than so many spreads: there the rate of the edge counts.
_REACH = 3.0
_NARROWEST = 1e-6
_HALVINGS = 40  # of a span of ratings: what is left is far below a point


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ArrivalRates:
    """How many tickets a second come at each rating.

    rating      float64, ascending, rating points
    per_second  float64, above 0: tickets a second and rating point there
    """

    rating: Floats
    per_second: Floats

    @classmethod
    def learned(cls, ratings: Floats, seconds: float) -> Self | None:
        """The rates of tickets with these ratings, all that came within so many seconds.

        Each counts as a hill around its rating, as wide as the usual rule for so many says (Silverman
        1986). None where fewer than 20 came, or all at one rating: then nothing can be expected.
        """
        ordered = np.sort(ratings)  # sums are rounded: the order of the tickets must not show
        if len(ordered) < FEWEST or not (math.isfinite(seconds) and seconds > 0):
            return None
        low, high = np.quantile(ordered, (0.25, 0.75))
        spread = min(float(ordered.std()), float(high - low) / 1.349 or float(ordered.std()))
        if spread < _NARROWEST:
            return None
        width = 0.9 * spread * len(ordered) ** -0.2
        first, last = ordered[0] - _REACH * width, ordered[-1] + _REACH * width
        grid: Floats = np.linspace(first, last, _GRID)
        hills = np.exp(-0.5 * ((grid[:, np.newaxis] - ordered) / width) ** 2).sum(axis=1)
        per_point = hills / (width * math.sqrt(2 * math.pi))
        # Between two who stand far apart nobody came, and yet somebody may.
        least = 1 / (len(ordered) * spread)
        return cls(rating=grid, per_second=np.maximum(per_point, least) / seconds)

    def expected_gaps(self, points_per_second: float) -> "ExpectedGaps":
        """At each rating the gap that is as good as waiting on, where so many points are worth a second.

        If R(s) tickets a second come within s points, a second of waiting saves whoever could have somebody d points
        away the integral of R from 0 to d, on average. The gap at which that is what a second is worth.
        """
        rating, rate, step = self.rating, self.per_second, np.diff(self.rating)
        slope = np.diff(rate) / step
        below = _summed((rate[:-1] + rate[1:]) / 2 * step)  # tickets a second below each rating
        twice = _summed(step * (below[:-1] + step * (rate[:-1] / 2 + step * slope / 6)))

        def summed_twice(at: Floats) -> Floats:
            cell = np.clip(np.searchsorted(rating, at, side="right") - 1, 0, len(step) - 1)
            over = np.clip(at - rating[cell], 0.0, step[cell])
            inside = over * (below[cell] + over * (rate[cell] / 2 + over * slope[cell] / 6))
            beyond: Floats = below[-1] * np.maximum(at - rating[-1], 0.0)
            return twice[cell] + inside + beyond

        here = 2 * summed_twice(rating)
        low = np.zeros(len(rating))
        high = np.full(len(rating), rating[-1] - rating[0] + points_per_second / below[-1])
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            saved = summed_twice(rating + middle) + summed_twice(rating - middle) - here
            low = np.where(saved < points_per_second, middle, low)
            high = np.where(saved < points_per_second, high, middle)
        return ExpectedGaps(rating=rating, gap=high)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ExpectedGaps:
    """How far away the partner is that is not worth waiting beyond, at each rating.

    rating, gap  float64, rating points, ascending by rating
    """

    rating: Floats
    gap: Floats

    def at(self, ratings: Floats) -> Floats:
        """The gap at these ratings; beyond those known, where nobody comes, so much more."""
        found: Floats = np.interp(ratings, self.rating, self.gap)
        found += np.maximum(self.rating[0] - ratings, 0) + np.maximum(ratings - self.rating[-1], 0)
        return found


def _summed(parts: Floats) -> Floats:
    """The sum of those before each, and of all."""
    return np.concatenate(([0.0], np.cumsum(parts)))
