"""Filters that say numbers and times the way every page says them."""

from datetime import UTC, date, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import cast

from django import template
from django.template.defaultfilters import floatformat
from django.utils.formats import date_format, get_format, number_format
from django.utils.html import conditional_escape, escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import get_language, ngettext_lazy, pgettext
from django.utils.translation import gettext as _

register = template.Library()
_KEPT = 4096  # texts of each kind, by language: many rows say the same
_HUGE = 1e15  # from about here on the last digits of a float mean nothing, and nothing has room for them

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


def plain_figure(value: float, decimals: int = 0) -> str:
    """`value` with so many decimals, half rounded up, as no language changes it: "1623.6"; a huge one short: "1.0e300".

    A game may count as high as a number goes, and a page must bear it.
    """
    if not abs(value) < _HUGE:  # nor is what is no number
        return f"{value:.1e}".replace("e+", "e")
    rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return f"{rounded or abs(rounded):f}"


def figure(value: float, decimals: int = 0) -> str:
    """The same with the decimal sign of the language. What `floatformat` says, in a tenth of its time."""
    text = plain_figure(value, decimals)
    return text.replace(".", get_format("DECIMAL_SEPARATOR")) if "." in text else text


@register.filter
def whole(value: float) -> str:
    """A count with the digits grouped as the visitor's language groups them."""
    return _whole(get_language(), value)


@lru_cache(_KEPT)
def _whole(_language: str | None, value: float) -> str:
    return floatformat(value, "0g")


@register.filter
def as_count(value: float) -> int:
    """By which number words agree with a figure that may be a fraction: "1 point", "1.5 points"."""
    return round(value) if value == round(value) else 2


@register.filter
def signed(value: float, decimals: int = 1) -> str:
    """`value` with its sign and so many decimals: "+8.6", "−3.2", "0.0"."""
    rounded = round(value, decimals)
    sign = "+" if rounded > 0 else "−" if rounded < 0 else ""
    return sign + figure(abs(rounded), decimals)


@register.filter
def percent(share: float | None, decimals: int = 0) -> str:
    """A share from 0 to 1 in per cent, as the language writes it: "35%"; a dash without one."""
    if share is None:
        return "–"
    # Translators: a share; German has a narrow space before the sign
    return pgettext("share", "%(number)s%%") % {"number": figure(100 * share, decimals)}


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
    return _day(get_language(), when.astimezone(UTC).date())


@lru_cache(_KEPT)
def _day(_language: str | None, when: date) -> str:
    # Translators: a date in tables, in the letters of Django's date filter; German: d.m.Y
    return date_format(when, pgettext("short date format", "j M Y"))


@register.filter
def moment(when: datetime) -> str:
    """A day with the time and its zone: "19 Jul 2026, 18:30 UTC"."""
    return _moment(get_language(), when.astimezone(UTC).replace(second=0, microsecond=0))


@lru_cache(_KEPT)
def _moment(_language: str | None, when: datetime) -> str:
    # Translators: a date with time, in the letters of Django's date filter; German: d.m.Y, H:i
    text = date_format(when, pgettext("short date and time format", "j M Y, H:i"))
    return f"{text} UTC"


@register.filter
def on_the_clock(when: datetime) -> str:
    """A moment as clocks of its own zone show it, with the day of the week: "Sun, 19 Jul 2026, 18:30"."""
    # Translators: a day of the week, a date and a time, in the letters of Django's date filter; German: D, d.m.Y, H:i
    return date_format(when.replace(tzinfo=None), pgettext("day and time format", "D, j M Y, H:i"))


@register.filter
def iso(when: datetime) -> str:
    """A moment for scripts, in UTC."""
    return when.astimezone(UTC).isoformat(timespec="seconds")


def utc_text(when: datetime) -> str:
    """A moment as the API writes them: in UTC, ending with Z."""
    return when.astimezone(UTC).isoformat().replace("+00:00", "Z")


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
    zoned = f' data-local="{escape(local)}"' if local else ""
    return SafeString(f'<time datetime="{iso(when)}"{zoned}>{escape(text)}</time>')
