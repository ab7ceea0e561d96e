"""Glicko-2 as the site sees it."""

from ratings.systems.declaration import Declaration
from ratings.systems.explanation import explain_deviations
from ratings.systems.glicko2.parameters import Glicko2Parameters

__all__ = ["GLICKO2"]

GLICKO2 = Declaration(
    name="glicko2",
    title="Glicko-2",
    parameters=Glicko2Parameters,
    is_period=True,
    uses_deviation=True,
    grows_in_play=True,
    spread_parameter="deviation_start",
    scale_parameter="deviation_start",
    tuned=("volatility", "tau"),
    tuned_with_sides=("side_advantage",),
    explain_worth=explain_deviations,
)
