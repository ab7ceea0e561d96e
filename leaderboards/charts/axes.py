"""Axes of charts: round steps for numbers and for time."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

__all__ = ["Moment", "number_ticks", "round_step", "time_ticks"]

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


def round_step(span: float, at_most: int) -> float:
    """The smallest of 1, 2, 2.5, 5 × 10ⁿ that divides `span` into no more than `at_most` steps."""
    power = 10.0 ** math.floor(math.log10(span / at_most))
    fits = (m * power for m in (1.0, 2.0, 2.5, 5.0) if span / (m * power) <= at_most)
    return next(fits, 10.0 * power)


def number_ticks(low: float, high: float, at_most: int = 6) -> list[float]:
    """Multiples of a round step from `low` to `high`; low < high."""
    step = round_step(high - low, at_most)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [n * step for n in range(first, last + 1)]


def time_ticks(start: datetime, end: datetime, at_most: int = 7) -> list[Moment]:
    """Beginnings of years, months, days or hours between two moments, in UTC; start < end."""
    start, end = start.astimezone(UTC), end.astimezone(UTC)
    unit, count, _ = next(
        (step for step in _STEPS if (end - start) / step[2] <= at_most), _STEPS[-1]
    )
    return [Moment(at, unit) for at in _beginnings(unit, count, start, end) if start <= at <= end]


def _beginnings(unit: str, count: int, start: datetime, end: datetime) -> Iterator[datetime]:
    if unit in {"year", "month"}:
        yield from _calendar(count * (12 if unit == "year" else 1), start, end)
        return
    step = count * (_DAY if unit == "day" else timedelta(hours=1))
    at = start.replace(hour=0, minute=0, second=0, microsecond=0)
    while at <= end:
        yield at
        at += step


def _calendar(months: int, start: datetime, end: datetime) -> Iterator[datetime]:
    number = start.year * 12 // months * months
    last = end.year * 12 + end.month
    while number <= last:
        if number >= 12:
            yield datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC)
        number += months
