"""What an operator may tune of TrueSkill."""

from dataclasses import dataclass

import ratings.systems.usual_parameters as usual
from ratings.systems.parameters import Group, ParameterSet, number
from ratings.systems.parameters import gettext_noop as _

__all__ = ["TrueSkillParameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueSkillParameters(ParameterSet):
    """The usual scale: 25 to start, give or take a third of it."""

    start: float = usual.start_rating(25.0)
    deviation_start: float = usual.start_deviation(25.0 / 3, 0.001)
    beta: float = number(
        25.0 / 6,
        0.001,
        10_000.0,
        unit=_("points"),
        group=Group.DEVIATION,
        label=_("Spread of performance"),
        help=_("How much one player's performance differs from game to game."),
    )
    tau: float = number(
        25.0 / 300,
        0.0,
        1000.0,
        unit=_("points"),
        group=Group.VOLATILITY,
        label=_("Growth of the deviation per game"),
        help=_(
            "How far skill is thought to drift from game to game, so that ratings stay movable."
        ),
    )
    draw_probability: float = number(
        0.10,
        0.0,
        0.999999,
        step=0.05,
        group=Group.SIDES_AND_DRAWS,
        label=_("Share of draws"),
        help=_("The share of games between equals that end in a draw."),
    )
    deviation_min: float = usual.smallest_deviation(0.01, 0.0)
    growth: float = usual.deviation_growth(0.0)
    established_after: int = usual.established_after(is_enough=False)
    provisional_deviation: float = usual.provisional_deviation(2.5, 0.001)

    def check_together(self) -> None:
        """A new player must be less certain than anybody may become."""
        self.check_rising("deviation_min", "deviation_start")
