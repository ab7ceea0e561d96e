"""What an operator may tune of ZoneStats."""

from dataclasses import dataclass

import ratings.systems.usual_parameters as usual
from ratings.systems.parameters import Group, ParameterSet, number
from ratings.systems.parameters import gettext_noop as _

__all__ = ["ZoneStatsParameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneStatsParameters(ParameterSet):
    """Defaults: those of the source."""

    start: float = usual.start_rating(500.0)
    floor: float = usual.lowest_rating()
    spread: float = number(
        120.0,
        1.0,
        10_000.0,
        unit=_("points"),
        group=Group.START,
        label=_("Spread"),
        help=_("A player this many points ahead is expected to beat the other 73% of the time."),
    )
    game_mult: float = number(
        2.0,
        0.0,
        1000.0,
        unit=_("points per minute"),
        label=_("Points per minute"),
        help=_("What each minute against one opponent is worth at most."),
    )
    max_minutes: float = number(
        20.0,
        0.1,
        1440.0,
        unit=_("minutes"),
        label=_("Longest time that counts"),
        help=_("Minutes of one game beyond this add nothing."),
    )
    established_after: int = usual.established_after()

    def check_together(self) -> None:
        """Nobody starts below the floor."""
        self.check_not_below("floor", "start")
