"""How many tickets come at which rating: learned from those that came lately."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from ratings.systems.arrays import Floats

__all__ = ["FEWEST", "ArrivalRates"]

# Of fewer tickets nothing is concluded.
FEWEST = 20
_GRID = 129
# A rating nobody came at is no further from the others than so many spreads: there the rate of the edge counts.
_REACH = 3.0
_NARROWEST = 1e-6


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

    def at(self, ratings: Floats) -> Floats:
        """Tickets a second and rating point at these ratings; beyond those known, as at their edge."""
        found: Floats = np.interp(ratings, self.rating, self.per_second)
        return found
