"""Glicko as the site sees it."""

from ratings.systems.declaration import Declaration, Forgetting
from ratings.systems.explanation import explain_deviations
from ratings.systems.glicko.parameters import GlickoParameters, forgetting_constant

__all__ = ["GLICKO"]

GLICKO = Declaration(
    name="glicko",
    title="Glicko",
    parameters=GlickoParameters,
    is_period=True,
    uses_deviation=True,
    spread_parameter="deviation_start",
    scale_parameter="deviation_start",
    forgetting=Forgetting("c", forgetting_constant),
    tuned=("days_to_forget",),
    tuned_with_sides=("side_advantage",),
    explain_worth=explain_deviations,
)
