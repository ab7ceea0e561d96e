"""Filters that say numbers and times the way every page says them."""

from datetime import UTC, datetime
from typing import cast

from django import template
from django.template.defaultfilters import floatformat
from django.utils.formats import date_format, number_format
from django.utils.html import conditional_escape, escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy, pgettext

register = template.Library()

# Whole phrases: other languages decline the unit after "ago".
AGO = {
    "year": ngettext_lazy("%(num)d year ago", "%(num)d years ago", "num"),
    "month": ngettext_lazy("%(num)d month ago", "%(num)d months ago", "num"),
    "week": ngettext_lazy("%(num)d week ago", "%(num)d weeks ago", "num"),
    "day": ngettext_lazy("%(num)d day ago", "%(num)d days ago", "num"),
    "hour": ngettext_lazy("%(num)d hour ago", "%(num)d hours ago", "num"),
    "minute": ngettext_lazy("%(num)d minute ago", "%(num)d minutes ago", "num"),
}


@register.filter
def ago(when: datetime, now: datetime) -> str:
    """How long before `now` it was `when`, in the largest unit: "3 days ago".

    `now` comes from the view, read once from the clock: no query per row.
    """
    if (now - when).total_seconds() < 60:
        return _("just now")
    return timesince(when, now, time_strings=cast("dict[str, str]", AGO), depth=1)


@register.filter
def signed(value: float, decimals: int = 1) -> str:
    """`value` with its sign and so many decimals: "+8.6", "−3.2", "0.0"."""
    rounded = round(value, decimals)
    sign = "+" if rounded > 0 else "−" if rounded < 0 else ""
    return sign + number_format(abs(rounded), decimal_pos=decimals)


@register.filter
def percent(share: float | None, decimals: int = 0) -> str:
    """A share from 0 to 1 in per cent, as the language writes it: "35%"; a dash without one."""
    if share is None:
        return "–"
    # Translators: a share; German has a narrow space before the sign
    return pgettext("share", "%(number)s%%") % {"number": floatformat(100 * share, decimals)}


@register.filter
def coded(words: object) -> SafeString:
    """Plain words as HTML, with what stands between backticks as code."""
    shapes = ("{}", "<code>{}</code>")
    parts = enumerate(str(words).split("`"))
    return format_html_join("", "{}", ((format_html(shapes[n % 2], part),) for n, part in parts))


@register.filter
def command(line: str) -> SafeString:
    """A command line whose options stay in one piece: browsers break lines behind a hyphen too."""
    shapes = {True: '<span class="nowrap">{}</span>', False: "{}"}
    words = line.split(" ")
    return format_html_join(
        " ", "{}", ((format_html(shapes[word.startswith("--")], word),) for word in words)
    )


@register.filter
def ordinal(place: int) -> str:
    """A place in a match: "1st", "22nd", "113th"."""
    if place % 100 in {11, 12, 13}:
        text = pgettext("place in a match", "%(number)sth")
    elif place % 10 == 1:
        text = pgettext("place in a match", "%(number)sst")
    elif place % 10 == 2:
        text = pgettext("place in a match", "%(number)snd")
    elif place % 10 == 3:
        text = pgettext("place in a match", "%(number)srd")
    else:
        text = pgettext("place in a match", "%(number)sth")
    return text % {"number": number_format(place)}


@register.filter
def day(when: datetime) -> str:
    """A day in UTC, short and unmistakable: "19 Jul 2026"."""
    # Translators: a date in tables, in the letters of Django's date filter; German: d.m.Y
    return date_format(when.astimezone(UTC), pgettext("short date format", "j M Y"))


@register.filter
def moment(when: datetime) -> str:
    """A day with the time and its zone: "19 Jul 2026, 18:30 UTC"."""
    # Translators: a date with time, in the letters of Django's date filter; German: d.m.Y, H:i
    text = date_format(when.astimezone(UTC), pgettext("short date and time format", "j M Y, H:i"))
    return f"{text} UTC"


@register.filter
def iso(when: datetime) -> str:
    """A moment for scripts, in UTC."""
    return when.astimezone(UTC).isoformat(timespec="seconds")


@register.filter
def timed(when: datetime, shape: str = "moment") -> SafeString:
    """A `<time>` element in UTC, which static/js/times.js turns to the viewer's zone.

    `shape`: `moment`; `day`; or `known`, a moment whose time is left out where it is midnight: that is a day without a
    time, and the same day everywhere.
    """
    utc = when.astimezone(UTC)
    has_time = (utc.hour, utc.minute, utc.second) != (0, 0, 0)
    if not has_time and shape != "moment":
        return element_of(when, day(when), "")
    return element_of(when, day(when) if shape == "day" else moment(when), shape)


def filled(sentence: str, **parts: str) -> SafeString:
    """A sentence with parts that may be elements, such as times: "… ends on %(day)s.", as one piece of HTML."""
    return SafeString(
        escape(sentence) % {name: conditional_escape(part) for name, part in parts.items()}
    )


def element_of(when: datetime, text: str, shape: str) -> SafeString:
    """A `<time>` element with this text; the viewer's zone shows as a `moment`, a `day` or a `time` of day."""
    local = {"known": "moment"}.get(shape, shape)
    return format_html(
        '<time datetime="{}"{}>{}</time>',
        iso(when),
        format_html(' data-local="{}"', local) if local else "",
        text,
    )
