"""Glicko (Glickman 1999, "Parameter estimation in large dynamic paired comparison experiments")."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats
from ratings.systems.counting import longest_growth, periods_of_growth
from ratings.systems.declaration import Declaration, Forgetting
from ratings.systems.explanation import explain_deviations
from ratings.systems.glicko.base import Entrants, GlickoBase, Rated
from ratings.systems.glicko.field import Field
from ratings.systems.glicko.parameters import GlickoParameters, forgetting_constant
from ratings.systems.glicko.period import Evidence, renew_variance
from ratings.systems.parameters import gettext_noop as _
from ratings.systems.state import Ratings

__all__ = ["Glicko"]


@dataclass(frozen=True, slots=True)
class Glicko(GlickoBase):
    """`System` of Glicko; run by period only, without stages."""

    settings: GlickoParameters

    declaration: ClassVar[Declaration] = Declaration(
        name="glicko",
        title="Glicko",
        purpose=_(
            "One against one, when in doubt: it settles soon, swings little, and says how "
            "certain a rating is. All games of a period are rated together, at its end. "
            "Of teams, each plays against every other one."
        ),
        parameters=GlickoParameters,
        is_period=True,
        uses_deviation=True,
        takes_teams=True,
        spread_parameter="deviation_start",
        scale_parameter="deviation_start",
        conservative_deviations=2.0,  # the lower end of Glickman's 95% interval
        forgetting=Forgetting("c", forgetting_constant),
        tuned=("days_to_forget",),
        tuned_with_sides=("side_advantage",),
        explain_worth=explain_deviations,
    )

    def grow(self, deviation: Floats, volatility: Floats | None, time: Floats) -> None:
        """RD = √(RD² + c²t)."""
        c = self.settings.c
        time = np.minimum(time, longest_growth(c, self.settings.deviation_max))
        deviation *= deviation
        deviation += c * c * time
        np.sqrt(deviation, out=deviation)

    def rate_players(self, before: Entrants, evidence: Evidence, field: Field) -> Rated:
        """RD'² = 1/(1/RD² + 1/d²), r' = r + q · RD'² · Σ g(w - E)."""
        # Without games both sums are 0, and nothing changes: √(RD²) is RD to the bit.
        renew_variance(before.variance, evidence.information)
        return Rated(before.moved(evidence.surprise), before.variance, None)

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
