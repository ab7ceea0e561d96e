"""What an operator may tune of Glicko."""

import math
from dataclasses import dataclass

from ratings.systems.parameters import ParameterError, ParameterSet, number, whole
from ratings.systems.parameters import gettext_noop as _

__all__ = ["GlickoParameters", "forgetting_constant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GlickoParameters(ParameterSet):
    """`c` usually follows from the ladder's days to forget."""

    start: float = number(
        1500.0,
        0.0,
        100_000.0,
        unit=_("points"),
        label=_("Start rating"),
        help=_("The rating of a player who has not played yet."),
    )
    deviation_start: float = number(
        350.0,
        1.0,
        10_000.0,
        unit=_("points"),
        label=_("Start deviation"),
        help=_("How uncertain the rating of a new player is, as one standard deviation."),
    )
    deviation_min: float = number(
        30.0,
        1.0,
        10_000.0,
        unit=_("points"),
        label=_("Smallest deviation"),
        help=_("No rating becomes more certain than this, so that it can still move."),
    )
    deviation_max: float = number(
        350.0,
        1.0,
        10_000.0,
        unit=_("points"),
        label=_("Largest deviation"),
        help=_("No rating becomes less certain than this, however long a player rests."),
    )
    c: float = number(
        34.64101615137755,
        0.0,
        10_000.0,
        unit=_("points per √period"),
        label=_("Growth of the deviation"),
        help=_("How fast a rating becomes uncertain while its player rests."),
    )
    established_after: int = whole(
        30,
        1,
        10_000,
        unit=_("games"),
        label=_("Established after"),
        help=_("The number of counted games after which a player can be established."),
    )
    provisional_deviation: float = number(
        110.0,
        1.0,
        10_000.0,
        unit=_("points"),
        label=_("Provisional above"),
        help=_(
            "A player whose deviation is above this is provisional, however many games were played."
        ),
    )

    def check_together(self) -> None:
        """The start must lie between the smallest and the largest deviation."""
        low, high = self.deviation_min, self.deviation_max
        if not low < high:
            expected = _("must be above %(lower)s, which is %(low)s")
            raise ParameterError("deviation_max", high, expected, lower="deviation_min", low=low)
        if not low <= self.deviation_start <= high:
            raise ParameterError(
                "deviation_start",
                self.deviation_start,
                _("must lie between %(lower)s %(low)s and %(upper)s %(high)s"),
                lower="deviation_min",
                low=low,
                upper="deviation_max",
                high=high,
            )


def forgetting_constant(
    *,
    days_to_forget: float,
    period_days: float,
    average_deviation: float = 50.0,
    deviation_start: float = 350.0,
) -> float:
    """The `c` with which an average player is as uncertain as a new one after `days_to_forget`.

    Solves √(RD² + c²t) = RD_start for t = days_to_forget / period_days; points per √period.
    Raises ParameterError when a length is not positive or the deviations are the wrong way round.
    """
    for name, days in (("days_to_forget", days_to_forget), ("period_days", period_days)):
        if not (math.isfinite(days) and days > 0):
            raise ParameterError(name, days, "must be a positive number of days")
    if not 0 <= average_deviation <= deviation_start < math.inf:
        raise ParameterError(
            "average_deviation",
            average_deviation,
            f"must be from 0 to deviation_start, which is {deviation_start:g}",
        )
    growth = (deviation_start - average_deviation) * (deviation_start + average_deviation)
    return math.sqrt(growth / days_to_forget * period_days)
