"""What an operator may tune of Glicko and of Glicko-2 alike."""

from dataclasses import dataclass

import ratings.systems.usual_parameters as usual
from ratings.systems.parameters import Group, ParameterError, ParameterSet, number
from ratings.systems.parameters import gettext_noop as _

__all__ = ["CommonParameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonParameters(ParameterSet):
    """Start, deviations, when a player is established, and the advantage of a side."""

    start: float = usual.start_rating(1500.0)
    floor: float = usual.lowest_rating()
    deviation_start: float = usual.start_deviation(350.0, 1.0)
    deviation_min: float = usual.smallest_deviation(30.0, 1.0)
    deviation_max: float = number(
        350.0,
        1.0,
        10_000.0,
        unit=_("points"),
        group=Group.DEVIATION,
        label=_("Largest deviation"),
        help=_("No rating becomes less certain than this, however long a player rests."),
    )
    established_after: int = usual.established_after(is_enough=False)
    provisional_deviation: float = usual.provisional_deviation(110.0, 1.0)

    side_advantage: float = number(
        0.0,
        -1000.0,
        1000.0,
        unit=_("points"),
        step=40.0,
        group=Group.SIDES_AND_DRAWS,
        label=_("Advantage of the side"),
        help=_("Rating points that playing at home, or white, is worth; 0 counts no sides."),
    )

    def check_together(self) -> None:
        """The start must not be below the floor, and lie between the smallest and the largest deviation."""
        self.check_not_below("floor", "start")
        self.check_rising("deviation_min", "deviation_max")
        low, high = self.deviation_min, self.deviation_max
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
