"""What an operator may tune of Glicko."""

import math
from dataclasses import dataclass

import ratings.systems.usual_parameters as usual
from ratings.systems.glicko.common import CommonParameters
from ratings.systems.parameters import ParameterError

__all__ = ["GlickoParameters", "forgetting_constant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GlickoParameters(CommonParameters):
    """`c` usually follows from the ladder's days to forget."""

    c: float = usual.deviation_growth(34.64101615137755)


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
