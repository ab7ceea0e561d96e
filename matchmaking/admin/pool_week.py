"""A week by its hours, as a table whose cells are the darker the more there is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext_lazy

from matchmaking.pool.activity import CELLS, Activity
from matchmaking.pool.period import Period
from matchmaking.pool.searches import Searches
from matchmaking.templatetags.play import rounded, ticking

__all__ = ["FIGURES", "HeatMap", "heat_map"]

FIGURES = {
    "searches": gettext_lazy("Searches"),
    "p50": gettext_lazy("Wait, half within"),
    "p90": gettext_lazy("Wait, nine in ten within"),
    "matches": gettext_lazy("Matches"),
    "players": gettext_lazy("Players online"),
    "new": gettext_lazy("New players"),
    "returning": gettext_lazy("Returned players"),
    "lost": gettext_lazy("Lost players"),
}
_WAITS = ("p50", "p90")
# By an hour of an average week; who comes and goes is counted, for it is few.
_MEANS = ("searches", "matches", "players")
_SHADES = 9
_MONDAY = date(2024, 1, 1)


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A figure in words, and how dark it is: 0 of nothing to 9 of the most."""

    text: str
    shade: int


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Weekdays in the columns, hours in the rows. `is_mean`: figures are those of an average week."""

    weekdays: list[tuple[str, str]]
    rows: list[tuple[str, list[HeatCell]]]
    is_mean: bool


def heat_map(figure: str, period: Period, activity: Activity, searches: Searches) -> HeatMap:
    """Lay out one of `FIGURES`."""
    cells_of: dict[str, Sequence[float | None]] = {**searches.cells, **activity.cells}
    values = list(cells_of[figure])
    if figure in _MEANS:
        hours = hours_of(period)
        values = [
            None if not hours[cell] else (value or 0) / hours[cell]
            for cell, value in enumerate(values)
        ]
    say: Callable[[float], str] = ticking if figure in _WAITS else rounded
    most = max((value for value in values if value is not None), default=0.0)
    cells = [
        HeatCell("–" if value is None else say(value), _shade(value, most)) for value in values
    ]
    days = [_MONDAY + timedelta(days=number) for number in range(7)]
    return HeatMap(
        weekdays=[(date_format(day, "D"), date_format(day, "l")) for day in days],
        rows=[(f"{hour:02}", cells[hour::24]) for hour in range(24)],
        is_mean=figure in _MEANS,
    )


def hours_of(period: Period) -> list[float]:
    """How often each hour of the week is in the period, parts as parts; one that a clock repeats counts twice."""
    often = [0.0] * CELLS
    at = period.since
    while at < period.until:
        local = at.astimezone(period.zone)
        end = min(_next_hour(at, period.zone), period.until)
        often[local.weekday() * 24 + local.hour] += (end - at).total_seconds() / 3600
        at = end
    return often


def _next_hour(at: datetime, zone: ZoneInfo) -> datetime:
    """Zones are apart from UTC by quarters of an hour."""
    local = at.astimezone(zone)
    past = timedelta(minutes=local.minute, seconds=local.second, microseconds=local.microsecond)
    return at + timedelta(hours=1) - past


def _shade(value: float | None, most: float) -> int:
    if not value or not most:
        return 0
    return max(1, round(_SHADES * value / most))
