"""Filters that say numbers and times the way every page says them."""

from datetime import datetime

from django import template
from django.utils.formats import number_format
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def ago(when: datetime, now: datetime) -> str:
    """How long before `now` it was `when`, in the largest unit: "3 days ago".

    `now` comes from the view, read once from the clock: no query per row.
    """
    if (now - when).total_seconds() < 60:
        return _("just now")
    return _("%(duration)s ago") % {"duration": timesince(when, now, depth=1)}


@register.filter
def signed(value: float, places: int = 1) -> str:
    """`value` with its sign and `places` decimals: "+8.6", "−3.2", "0.0"."""
    rounded = round(value, places)
    sign = "+" if rounded > 0 else "−" if rounded < 0 else ""
    return sign + number_format(abs(rounded), decimal_pos=places)
