"""Elo with normal performances as the site sees it."""

from ratings.systems.declaration import Declaration
from ratings.systems.elo_normal.parameters import EloNormalParameters
from ratings.systems.parameters import gettext_noop as _

__all__ = ["ELO_NORMAL"]

ELO_NORMAL = Declaration(
    name="elo_normal",
    title=_("Elo with the normal curve"),
    parameters=EloNormalParameters,
    spread_parameter="beta",
    tuned=("alpha",),
    weight_symbol="α β √π",
)
