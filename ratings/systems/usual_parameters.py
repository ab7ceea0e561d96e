"""Declarations that several rating systems share: the same words everywhere, each its own default."""

from typing import Any

from ratings.systems.parameters import Group, number, whole
from ratings.systems.parameters import gettext_noop as _

__all__ = [
    "deviation_growth",
    "established_after",
    "lowest_rating",
    "provisional_deviation",
    "smallest_deviation",
    "start_deviation",
    "start_rating",
]

_MOST_POINTS = 100_000.0
_MOST_DEVIATION = 10_000.0


def start_rating(default: float) -> Any:
    """Declare the rating of new players."""
    return number(
        default,
        0.0,
        _MOST_POINTS,
        unit=_("points"),
        group=Group.START,
        label=_("Start rating"),
        help=_("The rating of a player who has not played yet."),
    )


def lowest_rating() -> Any:
    """Declare the floor of ratings; the start may not be below it (`check_not_below`)."""
    return number(
        0.0,
        0.0,
        _MOST_POINTS,
        unit=_("points"),
        group=Group.START,
        label=_("Lowest rating"),
        help=_(
            "No rating falls below this: whoever loses there loses less than others win, so that points come into the"
            " pool."
        ),
    )


def start_deviation(default: float, low: float) -> Any:
    """Declare the deviation of new players, `low` or more."""
    return number(
        default,
        low,
        _MOST_DEVIATION,
        unit=_("points"),
        group=Group.START,
        label=_("Start deviation"),
        help=_("How uncertain the rating of a new player is, as one standard deviation."),
    )


def smallest_deviation(default: float, low: float) -> Any:
    """Declare the floor of deviations, `low` or more."""
    return number(
        default,
        low,
        _MOST_DEVIATION,
        unit=_("points"),
        group=Group.DEVIATION,
        label=_("Smallest deviation"),
        help=_("No rating becomes more certain than this, so that it can still move."),
    )


def deviation_growth(default: float) -> Any:
    """Declare how fast deviations grow without play."""
    return number(
        default,
        0.0,
        _MOST_DEVIATION,
        unit=_("points per √period"),
        group=Group.DEVIATION,
        label=_("Growth of the deviation"),
        help=_("How fast a rating becomes uncertain while its player rests."),
    )


def established_after(*, is_enough: bool = True) -> Any:
    """Declare the counted games of established players; `is_enough`: nothing else is asked of them."""
    if is_enough:
        meaning = _("The number of counted games after which a player is established.")
    else:
        meaning = _("The number of counted games after which a player can be established.")
    return whole(30, 1, 10_000, unit=_("games"), label=_("Established after"), help=meaning)


def provisional_deviation(default: float, low: float) -> Any:
    """Declare the deviation above which a player is provisional, `low` or more."""
    return number(
        default,
        low,
        _MOST_DEVIATION,
        unit=_("points"),
        group=Group.THRESHOLDS,
        label=_("Provisional above"),
        help=_(
            "A player whose deviation is above this is provisional, however many games were played."
        ),
    )
