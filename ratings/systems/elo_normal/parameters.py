"""What an operator may tune of Elo with normal performances."""

import math
from dataclasses import dataclass

import ratings.systems.usual_parameters as usual
from ratings.systems.parameters import Group, ParameterSet, number
from ratings.systems.parameters import gettext_noop as _

__all__ = ["EloNormalParameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EloNormalParameters(ParameterSet):
    """Defaults: a full surprise is worth about 25 points."""

    start: float = usual.start_rating(1500.0)
    floor: float = usual.lowest_rating()
    beta: float = number(
        200.0,
        1.0,
        10_000.0,
        unit=_("points"),
        group=Group.DEVIATION,
        label=_("Spread of performances"),
        help=_("How far one player's performances lie from each other: their standard deviation."),
    )
    alpha: float = number(
        0.07,
        0.001,
        0.999,
        label=_("Weight of a game"),
        help=_("How much one game counts against all that came before it."),
    )
    established_after: int = usual.established_after()

    def check_together(self) -> None:
        """Nobody starts below the floor."""
        self.check_not_below("floor", "start")

    @property
    def weight(self) -> float:
        """Points a full surprise is worth: K = α β √π."""
        return self.alpha * self.beta * math.sqrt(math.pi)

    @property
    def per_point(self) -> float:
        """What a rating point is worth in standard deviations of a game: 1 / (√2 β)."""
        return 1 / (math.sqrt(2.0) * self.beta)
