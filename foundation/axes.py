"""Ticks of the axes of charts: round numbers, decades, even parts, and times. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

__all__ = ["Moment", "decade_ticks", "even_ticks", "number_ticks", "time_ticks"]

# What a step may be, times a power of ten.
_ROUND = (1.0, 2.0, 2.5, 5.0)
# By so much of a step a tick may lie outside: sums of floats are not exact.
_SLACK = 1e-9

_DAY = timedelta(days=1)
_YEAR = 365.2425 * _DAY
# Steps in which people count time, smallest first: (unit, how many of it, length).
_STEPS = (
    *(("hour", n, n * timedelta(hours=1)) for n in (1, 3, 6, 12)),
    *(("day", n, n * _DAY) for n in (1, 2, 5, 10)),
    *(("month", n, n * _YEAR / 12) for n in (1, 2, 3, 6)),
    *(("year", n, n * _YEAR) for n in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500)),
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A tick of a time axis and the unit its label should show: "year", "month", "day" or "hour"."""

    at: datetime
    unit: str


def number_ticks(
    low: float, high: float, at_most: int = 6, multiples: Sequence[float] = _ROUND
) -> list[float]:
    """Multiples of a round step from `low` to `high`, which has at most so many steps; low < high.

    The step is the smallest that will do of `multiples` times a power of ten.
    """
    least = (high - low) / at_most * (1 - _SLACK)
    power = 10.0 ** math.floor(math.log10((high - low) / at_most))
    step = next((m * power for m in multiples if m * power >= least), 10.0 * power)
    first, last = math.ceil(low / step - _SLACK), math.floor(high / step + _SLACK)
    return [n * step for n in range(first, last + 1)]


def decade_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times every power of ten from `low` to `high`; 0 < low < high."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [step * 10.0**decade for decade in decades for step in (1, 2, 5)]
    return [value for value in values if low <= value <= high]


def even_ticks(high: float, steps: int) -> list[float]:
    """From 0 to `high` in equal steps."""
    return [high * tick / steps for tick in range(steps + 1)]


def time_ticks(start: datetime, end: datetime, at_most: int = 7) -> list[Moment]:
    """Beginnings of years, months, days or hours between two moments, in UTC; start < end."""
    start, end = start.astimezone(UTC), end.astimezone(UTC)
    unit, count, _ = next(
        (step for step in _STEPS if (end - start) / step[2] <= at_most), _STEPS[-1]
    )
    if unit in {"year", "month"}:
        months = count * (12 if unit == "year" else 1)
        first, last = start.year * 12 // months * months, end.year * 12 + end.month
        found = [
            datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC)
            for number in range(first, last + 1, months)
            if number >= 12  # there is no year 0
        ]
    else:
        found, at = [], start.replace(hour=0, minute=0, second=0, microsecond=0)
        while at <= end:
            found.append(at)
            at += count * (_DAY if unit == "day" else timedelta(hours=1))
    return [Moment(at, unit) for at in found if start <= at <= end]
