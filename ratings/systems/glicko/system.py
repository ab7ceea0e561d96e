"""Glicko (Glickman 1999, "Parameter estimation in large dynamic paired comparison experiments")."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats
from ratings.systems.glicko.base import Entrants, GlickoBase, Rated
from ratings.systems.glicko.parameters import GlickoParameters
from ratings.systems.glicko.period import Evidence, Q, renewed_variance
from ratings.systems.state import Ratings

__all__ = ["Glicko"]


@dataclass(frozen=True, slots=True)
class Glicko(GlickoBase):
    """`System` of Glicko; run by period only, without stages."""

    settings: GlickoParameters

    name: ClassVar[str] = "glicko"

    def grow(self, deviation: Floats, volatility: Floats | None, time: Floats) -> None:
        """RD = √(RD² + c²t)."""
        highest, c = self.settings.deviation_max, self.settings.c
        # Longer than from nothing to the largest deviation is no different, and may overflow.
        time = np.minimum(time, (highest / c) * (highest / c) if c else 0.0)
        deviation *= deviation
        deviation += c * c * time
        np.sqrt(deviation, out=deviation)

    def rate_players(self, before: Entrants, evidence: Evidence) -> Rated:
        """RD'² = 1/(1/RD² + 1/d²), r' = r + q · RD'² · Σ g(w - E)."""
        variance = renewed_variance(before.deviation * before.deviation, evidence.information)
        gain = Q * variance
        value = before.value + gain * evidence.surprise
        return Rated(value, np.sqrt(variance), None, gain)

    def volatility_of(self, ratings: Ratings) -> None:
        """Nobody has one."""

    def periods_until(
        self, deviation: ArrayLike, threshold: float, volatility: ArrayLike | None = None
    ) -> Floats:
        """t = (threshold² - RD²) / c²; inf beyond the largest deviation or where c is 0."""
        now, c = np.asarray(deviation, dtype=np.float64), self.settings.c
        missing = (threshold - now) * (threshold + now)
        reachable = c > 0 and threshold <= self.settings.deviation_max
        growing = missing / (c * c) if reachable else np.full(now.shape, np.inf)
        return np.where(missing <= 0, 0.0, growing)
