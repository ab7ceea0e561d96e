"""Glicko (Glickman 1999, "Parameter estimation in large dynamic paired comparison experiments")."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats
from ratings.systems.glicko.base import Entrants, GlickoBase, Rated
from ratings.systems.glicko.parameters import GlickoParameters
from ratings.systems.glicko.period import Evidence, Q, renewed_variance
from ratings.systems.growth import longest_growth, periods_of_growth
from ratings.systems.state import Ratings

__all__ = ["Glicko"]


@dataclass(frozen=True, slots=True)
class Glicko(GlickoBase):
    """`System` of Glicko; run by period only, without stages."""

    settings: GlickoParameters

    name: ClassVar[str] = "glicko"

    def grow(self, deviation: Floats, volatility: Floats | None, time: Floats) -> None:
        """RD = √(RD² + c²t)."""
        c = self.settings.c
        time = np.minimum(time, longest_growth(c, self.settings.deviation_max))
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
        """Never beyond the largest deviation, or where c is 0."""
        settings = self.settings
        return periods_of_growth(
            deviation, threshold, growth=settings.c, highest=settings.deviation_max
        )
