"""Glicko-2 (Glickman 2001, "Dynamic paired comparison models with stochastic variances")."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats
from ratings.systems.glicko.base import Entrants, GlickoBase, Rated
from ratings.systems.glicko.period import Evidence, Q
from ratings.systems.glicko2.parameters import Glicko2Parameters
from ratings.systems.glicko2.volatility import SMALLEST, Settled, settle_volatility
from ratings.systems.protocol import Results
from ratings.systems.state import Ratings

__all__ = ["Glicko2"]


@dataclass(frozen=True, slots=True)
class Glicko2(GlickoBase):
    """`System` of Glicko-2; run by period only, without stages.

    A period of play contains its own growth of the deviation, φ* = √(φ² + σ'²): `age` is for the
    periods between it and the one before, none for who played in both. Ratings without volatility
    have that of the start. Everything is kept in points; φ = RD q, and μ enters only as difference.
    """

    settings: Glicko2Parameters

    name: ClassVar[str] = "glicko2"
    grows_in_play: ClassVar[bool] = True

    def grow(self, ratings: Ratings, deviation: Floats, time: Floats) -> Floats:
        """φ = √(φ² + σ²t)."""
        growth, highest = self._growth(self.volatility_of(ratings)), self.settings.deviation_max
        # Longer than from nothing to the largest deviation is no different, and may overflow.
        grown = np.minimum(time, highest * highest / growth)
        grown *= growth
        grown += deviation * deviation
        return np.sqrt(grown, out=grown)

    def rate_players(self, before: Entrants, evidence: Evidence) -> Rated:
        """φ*² = φ² + σ'², φ'² = 1/(1/φ*² + 1/v), μ' = μ + φ'² · Σ g(w - E)."""
        volatility = self._settle(before, evidence).volatility
        variance = before.deviation * before.deviation + self._growth(volatility)
        known = evidence.information * (Q * Q)
        variance = 1 / (1 / variance + known)
        gain = Q * variance
        value = before.value + gain * evidence.surprise
        return Rated(value, np.sqrt(variance), volatility, gain)

    def rate_settled(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Settled]:
        """`rate`, and how the volatilities of those who played were found: one row a player."""
        _, before, evidence = self.weigh_games(ratings, results)
        after = self.rate_event(ratings, results, all_count=all_count)
        return after, self._settle(before, evidence)

    def volatility_of(self, ratings: Ratings) -> Floats:
        """The volatility in force: the start's where there is none, and within floor and ceiling."""
        if ratings.volatility is None:
            return np.full(len(ratings), self.settings.volatility)
        return self._bounded(ratings.volatility)

    def periods_until(
        self, deviation: ArrayLike, threshold: float, volatility: ArrayLike | None = None
    ) -> Floats:
        """t = (threshold² - φ²) / σ²; inf beyond the largest deviation. σ is the start's if not given."""
        now = np.asarray(deviation, dtype=np.float64)
        given = self.settings.volatility if volatility is None else volatility
        growth = self._growth(self._bounded(np.asarray(given, dtype=np.float64)))
        missing = (threshold - now) * (threshold + now)
        if threshold > self.settings.deviation_max:
            return np.where(missing <= 0, 0.0, np.inf)
        return np.maximum(missing / growth, 0.0)

    def _settle(self, before: Entrants, evidence: Evidence) -> Settled:
        if before.volatility is None:
            raise ValueError("players have no volatility: Glicko-2 needs one for every player")
        phi = before.deviation * Q
        return settle_volatility(
            before.volatility,
            phi * phi,
            evidence.information,
            evidence.surprise,
            tau=self.settings.tau,
            highest=self.settings.volatility_max,
        )

    def _bounded(self, volatility: Floats) -> Floats:
        return np.clip(volatility, SMALLEST, self.settings.volatility_max)

    def _growth(self, volatility: Floats) -> Floats:
        """What a period adds to RD², points²."""
        in_points = volatility * (1 / Q)
        return in_points * in_points
