"""Values, ranges and events in words, as people read them."""

from typing import Any

from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from ratings.models import RatingTrack
from ratings.systems import declaration_of
from ratings.tracks.periods import calendar_of

# The largest in which a span of time is a whole number.
_UNITS = (
    (86_400, ngettext_lazy("%(number)s day", "%(number)s days", "count")),
    (3_600, ngettext_lazy("%(number)s hour", "%(number)s hours", "count")),
    (60, ngettext_lazy("%(number)s minute", "%(number)s minutes", "count")),
    (1, ngettext_lazy("%(number)s second", "%(number)s seconds", "count")),
)

__all__ = [
    "event_in_words",
    "points_in_words",
    "range_in_words",
    "say",
    "span_in_words",
    "system_name",
    "system_purpose",
    "track_name",
]


def say(value: Any) -> str:
    """Return a value as people read it: grouped digits, no needless decimals, yes and no."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int | float):
        number = int(value) if float(value).is_integer() else round(value, 6)
        return number_format(number, use_l10n=True, force_grouping=True)
    return "–" if value is None else str(value)


def points_in_words(track: RatingTrack, *points: float | None) -> str:
    """Return "1512.3 ± 80.1": a rating of the track, or what is counted so, and how uncertain it is if that is known.

    For operators: one decimal more than players see.
    """
    return " ± ".join(f"{one:.{track.decimals + 1}f}" for one in points if one is not None)


def span_in_words(days: float) -> str:
    """Return "7 days" or "1 minute"; a period is a whole number of seconds, but for what floats make of it."""
    seconds = max(round(days * 86_400), 1)
    unit, words = next(one for one in _UNITS if seconds % one[0] == 0)
    count = seconds // unit
    return words % {"count": count, "number": say(count)}


def range_in_words(low: float, high: float) -> str:
    """Return "between 1 and 100"."""
    return _("between %(low)s and %(high)s") % {"low": say(low), "high": say(high)}


def event_in_words(track: RatingTrack, event: int) -> str:
    """Name an event of the track: "match 49,522", or "period 1,873, which ends …", as the API counts."""
    if track.period_days is None:
        return _("match %(number)s") % {"number": say(max(event, 1))}
    words = {"number": say(event)}
    calendar = calendar_of(track)
    if calendar is None:
        return _("period %(number)s") % words
    ends = date_format(timezone.localtime(calendar.ends_at(event)), "DATETIME_FORMAT")
    return _("period %(number)s, which ends %(ends)s UTC") % {**words, "ends": ends}


def system_name(system: str) -> str:
    """Return a system's name as a title: "Elo"."""
    return _(declaration_of(system).title)


def system_purpose(system: str) -> str:
    """Return for which games a system is, and what one gets and owes."""
    return _(declaration_of(system).purpose)


def track_name(track: RatingTrack) -> str:
    """Return its system as a title, and what it rates apart: "Elo (each map)"."""
    name = system_name(track.system)
    return f"{name} ({track.get_facet_display()})" if track.facet else name
