"""What an operator may tune of Glicko-2."""

from dataclasses import dataclass

from ratings.systems.glicko.common import CommonParameters
from ratings.systems.parameters import Group, number
from ratings.systems.parameters import gettext_noop as _

__all__ = ["Glicko2Parameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Glicko2Parameters(CommonParameters):
    """Volatilities are on the system's own scale, on which 400 / ln 10 = 173.7 points are 1."""

    volatility: float = number(
        0.06,
        1e-6,
        10.0,
        group=Group.VOLATILITY,
        label=_("Start volatility"),
        help=_("How far the strength of a new player is taken to drift from period to period."),
    )
    tau: float = number(
        0.5,
        0.01,
        5.0,
        group=Group.VOLATILITY,
        label=_("Change of the volatility"),
        help=_("How fast volatility follows surprising results (tau); small values hold it still."),
    )
    volatility_max: float = number(
        0.15,
        1e-6,
        10.0,
        group=Group.VOLATILITY,
        label=_("Largest volatility"),
        help=_("Losing on purpose cannot make a rating more volatile than this."),
    )

    def check_together(self) -> None:
        """The start must lie within what is allowed, of volatilities too."""
        # Not super(): a dataclass with slots is another class than the one it names.
        CommonParameters.check_together(self)
        self.check_not_below("volatility", "volatility_max")
