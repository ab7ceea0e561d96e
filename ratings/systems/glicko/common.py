"""What an operator may tune of Glicko and of Glicko-2 alike."""

from dataclasses import dataclass

from ratings.systems.parameters import ParameterError, ParameterSet, number, whole
from ratings.systems.parameters import gettext_noop as _

__all__ = ["CommonParameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonParameters(ParameterSet):
    """Start, deviations, when a player is established, and the advantage of a side."""

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

    side_advantage: float = number(
        0.0,
        -1000.0,
        1000.0,
        unit=_("points"),
        label=_("Advantage of the side"),
        help=_("Rating points that playing at home, or white, is worth; 0 counts no sides."),
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
