"""The figures of a simulated queue."""

from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from matchmaking.preview.simulation.course import Course
from matchmaking.preview.simulation.population import Crowd
from ratings.systems.arrays import Bools, Floats

__all__ = ["Band", "Report", "Spread", "report_on"]

# Chances from 40 to 60% count as an even match.
_EVEN = 0.1
# Where one band of ratings ends and the next begins, in standard deviations from the mean.
_BORDERS = (-2.0, -1.0, 1.0, 2.0)
_MOST_BANDS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How figures are spread; None where there are none."""

    mean: float | None
    p50: float | None
    p95: float | None
    p99: float | None
    max: float | None

    @classmethod
    def of(cls, values: Floats) -> Self:
        if not values.size:
            return cls(mean=None, p50=None, p95=None, p99=None, max=None)
        p50, p95, p99 = np.quantile(values, (0.5, 0.95, 0.99)).tolist()
        mean, most = float(values.mean()), float(values.max())
        return cls(mean=mean, p50=p50, p95=p95, p99=p99, max=most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Tickets with ratings from `low` up to `high`; None: without limit.

    share_unmatched  of the tickets of the band; those gave up, or waited still at the end
    waits            seconds of those who found a match
    stays            seconds of all of the band, also of those who found none
    gaps             rating points, of their matches
    """

    low: float | None
    high: float | None
    tickets: int
    share_unmatched: float | None
    waits: Spread
    stays: Spread
    gaps: Spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a queue would have done.

    tickets          that came
    matches          that were made
    share_unmatched  of the tickets: they gave up, or waited still at the end
    share_left       of the tickets: they gave up
    waits            seconds of those who found a match
    gaps             rating points between the strongest and the weakest team of a match
    off_even         mean distance of the chance from one half; None where the system says nothing
    share_even       of the matches: with a chance from 40 to 60 %
    cost             seconds a match, on average: what its tickets dislike in each other
    bands            the same by rating, from the weakest to the strongest
    within           share of the tickets that had found a match after so many seconds, as pairs
    """

    tickets: int
    matches: int
    share_unmatched: float | None
    share_left: float | None
    waits: Spread
    gaps: Spread
    off_even: float | None
    share_even: float | None
    cost: float | None
    bands: tuple[Band, ...]
    within: tuple[tuple[float, float], ...]

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self)


def report_on(course: Course, crowd: Crowd, *, band: float | None = None) -> Report:
    """The figures of a course.

    band  rating points that a band of the report is wide; None: bands by standard deviations
    """
    n, known = len(course.rating), ~np.isnan(course.chance)
    off = np.abs(course.chance[known] - 0.5)
    return Report(
        tickets=n,
        matches=len(course.gap),
        share_unmatched=_mean(~course.matched),
        share_left=_mean(course.left),
        waits=Spread.of(course.wait[course.matched]),
        gaps=Spread.of(course.gap),
        off_even=_mean(off),
        share_even=_mean(off <= _EVEN),
        cost=_mean(course.cost),
        bands=_bands(course, _borders(crowd, band)),
        within=_within(course),
    )


def _borders(crowd: Crowd, width: float | None) -> list[float]:
    """Where bands of ratings begin and end: two standard deviations to both sides of the mean."""
    if width is None or crowd.spread == 0:
        return [crowd.rating + crowd.spread * border for border in _BORDERS]
    lowest, highest = (crowd.rating + crowd.spread * border for border in (-2, 2))
    count = min(int((highest - lowest) / width), _MOST_BANDS)
    first = width * np.ceil(lowest / width)
    return [float(first + width * number) for number in range(count + 1)]


def _bands(course: Course, borders: list[float]) -> tuple[Band, ...]:
    band = np.searchsorted(borders, course.rating, side="right")
    limits = [None, *borders, None]
    return tuple(
        _band(course, band == number, limits[number], limits[number + 1])
        for number in range(len(borders) + 1)
    )


def _band(course: Course, inside: Bools, low: float | None, high: float | None) -> Band:
    matched = inside & course.matched
    return Band(
        low=low,
        high=high,
        tickets=int(inside.sum()),
        share_unmatched=_mean(~course.matched[inside]),
        waits=Spread.of(course.wait[matched]),
        stays=Spread.of(course.wait[inside]),
        gaps=Spread.of(course.own_gap[matched]),
    )


def _within(course: Course) -> tuple[tuple[float, float], ...]:
    """At the waits of every fortieth of those who were matched."""
    waits = np.sort(course.wait[course.matched])
    if not waits.size:
        return ()
    steps = np.unique(np.linspace(0, waits.size - 1, 41).astype(np.int64))
    share = (steps + 1) / len(course.wait)
    return tuple(zip(waits[steps].tolist(), share.tolist(), strict=True))


def _mean(values: Floats | Bools) -> float | None:
    return float(values.mean()) if values.size else None
