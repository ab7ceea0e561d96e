"""What an operator may tune of the shooter ladder."""

from dataclasses import dataclass

import ratings.systems.usual_parameters as usual
from ratings.systems.parameters import Group, ParameterSet, number
from ratings.systems.parameters import gettext_noop as _

__all__ = ["FragsParameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FragsParameters(ParameterSet):
    """Defaults: those of the source; no decay."""

    start: float = usual.start_rating(0.0)
    k: float = number(
        40.0,
        0.0,
        1000.0,
        unit=_("points"),
        label=_("K"),
        help=_("The most points a player can win or lose in a duel, or by one frag of a stream."),
    )
    scale: float = number(
        400.0,
        1.0,
        10_000.0,
        unit=_("points"),
        group=Group.START,
        label=_("Scale"),
        help=_("A player this many points ahead is expected to make ten of eleven frags."),
    )
    decay: float = number(
        0.0,
        0.0,
        1000.0,
        unit=_("points"),
        group=Group.DRIFT,
        label=_("Decay"),
        help=_(
            "Points taken from everybody, whether they play or not, never below 0, so that nobody rests at the top: at"
            " the end of each rating period, without periods on the dates of the ladder."
        ),
    )
    established_after: int = usual.established_after()
