"""What an operator may tune of the shooter ladder."""

from dataclasses import dataclass

from ratings.systems.parameters import ParameterSet, number, whole
from ratings.systems.parameters import gettext_noop as _

__all__ = ["FragsParameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FragsParameters(ParameterSet):
    """Defaults: those of the source; no decay."""

    start: float = number(
        0.0,
        0.0,
        100_000.0,
        unit=_("points"),
        label=_("Start rating"),
        help=_("The rating of a player who has not played yet."),
    )
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
        label=_("Scale"),
        help=_("A player this many points ahead is expected to make ten of eleven frags."),
    )
    decay: float = number(
        0.0,
        0.0,
        1000.0,
        unit=_("points per period"),
        label=_("Decay"),
        help=_("Points taken from everybody each period, never below 0, so that nobody rests."),
    )
    established_after: int = whole(
        30,
        1,
        10_000,
        unit=_("games"),
        label=_("Established after"),
        help=_("The number of counted games after which a player is established."),
    )
