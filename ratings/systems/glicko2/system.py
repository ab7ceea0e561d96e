"""Glicko-2 (Glickman 2001, "Dynamic paired comparison models with stochastic variances")."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats
from ratings.systems.base import Results
from ratings.systems.declaration import Declaration
from ratings.systems.explanation import explain_deviations
from ratings.systems.glicko.base import Entrants, GlickoBase, Rated
from ratings.systems.glicko.field import Field
from ratings.systems.glicko.period import Evidence, Q, renew_variance
from ratings.systems.glicko2.parameters import Glicko2Parameters
from ratings.systems.glicko2.volatility import SMALLEST, Settled, settle_volatility
from ratings.systems.parameters import gettext_noop as _
from ratings.systems.state import Ratings

__all__ = ["Glicko2"]

# Periods in which any volatility reaches any deviation that can be set: (10,000 points / 1e-6)².
_AGES = 1e16
# Players at a time: the many steps to a volatility stay in the processor's cache.
_BLOCK = 8192


@dataclass(frozen=True, slots=True)
class Glicko2(GlickoBase):
    """`System` of Glicko-2; run by period only, without stages.

    A period of play contains its own growth of the deviation, φ* = √(φ² + σ'²): `age` is for the
    periods between it and the one before, none for who played in both. Ratings without volatility
    have that of the start. Everything is kept in points; φ = RD q, and μ enters only as difference.
    """

    settings: Glicko2Parameters

    declaration: ClassVar[Declaration] = Declaration(
        name="glicko2",
        title="Glicko-2",
        purpose=_(
            "One against one above all, where players' form comes and goes: it learns how steady each of "
            "them is. Best with five to ten games a player and period. Of teams, each plays against every other one."
        ),
        parameters=Glicko2Parameters,
        is_period=True,
        uses_deviation=True,
        takes_teams=True,
        grows_in_play=True,
        spread_parameter="deviation_start",
        scale_parameter="deviation_start",
        conservative_deviations=2.0,  # the lower end of Glickman's 95% interval
        tuned=("volatility", "tau"),
        tuned_with_sides=("side_advantage",),
        explain_worth=explain_deviations,
    )

    def grow(self, deviation: Floats, volatility: Floats | None, time: Floats) -> None:
        """φ = √(φ² + σ²t)."""
        growth = self._growth(self._bounded(_known(volatility)))
        # Longer takes even the smallest volatility to any deviation, and may overflow.
        growth *= np.minimum(time, _AGES)
        deviation *= deviation
        deviation += growth
        np.sqrt(deviation, out=deviation)

    def rate_players(self, before: Entrants, evidence: Evidence, field: Field) -> Rated:
        """φ*² = φ² + σ'², φ'² = 1/(1/φ*² + 1/v), μ' = μ + φ'² · Σ g(w - E)."""
        value, volatility = before.value.copy(), _known(before.volatility).copy()
        players = np.flatnonzero(field.played > 0)
        for start in range(0, len(players), _BLOCK):
            who = players[start : start + _BLOCK]
            some, told = before.take(who), evidence.take(who)
            settled = self._settle(some, told).volatility
            variance = some.variance
            variance += self._growth(settled)
            renew_variance(variance, told.information)
            value[who], volatility[who] = some.moved(told.surprise), settled
            before.variance[who] = variance
        return Rated(value, before.variance, volatility)

    def rate_settled(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Settled]:
        """`rate`, and how the volatilities of those who played were found: one row a player."""
        field, before, told = self.weigh_games(ratings, results)
        who = np.flatnonzero(field.played > 0)
        after = self.rate_event(ratings, results, all_count=all_count)
        return after, self._settle(before.take(who), told.evidence.take(who))

    def volatility_of(self, ratings: Ratings) -> Floats:
        """As given; the start's where there is none."""
        if ratings.volatility is None:
            return np.full(len(ratings), self.settings.volatility)
        return ratings.volatility

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
        return settle_volatility(
            self._bounded(_known(before.volatility)),
            before.variance * (Q * Q),
            evidence.information * (1 / (Q * Q)),
            evidence.surprise * (1 / Q),
            tau=self.settings.tau,
            highest=self.settings.volatility_max,
        )

    def _bounded(self, volatility: Floats) -> Floats:
        """Between the floor and the ceiling, which an operator may have moved since."""
        return np.clip(volatility, SMALLEST, self.settings.volatility_max)

    def _growth(self, volatility: Floats) -> Floats:
        """What a period adds to RD², points²."""
        growth = volatility * (1 / Q)
        growth *= growth
        return growth


def _known(volatility: Floats | None) -> Floats:
    if volatility is None:
        raise ValueError("players have no volatility: Glicko-2 needs one for every player")
    return volatility
