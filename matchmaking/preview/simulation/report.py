"""What came of every ticket of a simulated queue, and the figures of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from matchmaking.preview.simulation.population import Population
from ratings.systems.arrays import Bools, Floats

__all__ = ["Outcomes", "Report", "report_on"]

# Chances from 40 to 60% count as an even match.
_EVEN = 0.1
# Where one band of ratings ends and the next begins, in standard deviations from the mean.
_BORDERS = (-2.0, -1.0, 1.0, 2.0)
_MOST_BANDS = 200


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Outcomes:
    """n tickets and m matches.

    Length n:
    rating   float64, rating points
    wait     float64, seconds until the match, or as long as the ticket was there without one
    matched  bool, whether it found a match
    left     bool, whether it gave up
    own_gap  float64, the gap of its match, rating points; nan without one
    Length m:
    gap      float64, rating points between the strongest and the weakest team
    chance   float64, score expected of the first team; nan where nobody can say
    cost     float64, seconds: the sum of what the tickets dislike in each other
    """

    rating: Floats
    wait: Floats
    matched: Bools
    left: Bools
    own_gap: Floats
    gap: Floats
    chance: Floats
    cost: Floats

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Several parts as one."""
        return cls(
            **{
                name: np.concatenate([getattr(outcomes, name) for outcomes in parts])
                for name in cls.__slots__
            }
        )


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
    """Tickets with ratings from `low` up to `high`, None: without limit; their figures as in `Report`.

    `stays`: seconds of all of the band, also of those who found no match.
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


def report_on(outcomes: Outcomes, population: Population, *, band: float | None = None) -> Report:
    """The figures of a queue.

    band  rating points that a band of the report is wide, two standard deviations to both sides of the mean;
        None: bands by standard deviations
    """
    mean, spread, matched = population.rating, population.spread, outcomes.matched
    if band is None or spread == 0:
        borders = [mean + spread * border for border in _BORDERS]
    else:
        lowest, highest = mean - 2 * spread, mean + 2 * spread
        count = min(int((highest - lowest) / band), _MOST_BANDS)
        first = band * np.ceil(lowest / band)
        borders = [float(first + band * number) for number in range(count + 1)]
    number_of = np.searchsorted(borders, outcomes.rating, side="right")
    bands = []
    for number, (low, high) in enumerate(pairwise([None, *borders, None])):
        inside = number_of == number
        one = Band(
            low=low,
            high=high,
            tickets=int(inside.sum()),
            share_unmatched=_mean(~matched[inside]),
            waits=Spread.of(outcomes.wait[inside & matched]),
            stays=Spread.of(outcomes.wait[inside]),
            gaps=Spread.of(outcomes.own_gap[inside & matched]),
        )
        bands.append(one)
    # At the waits of every fortieth of those who were matched.
    waits = np.sort(outcomes.wait[matched])
    steps = np.unique(np.linspace(0, waits.size - 1, 41).astype(np.int64))[: waits.size]
    off = np.abs(outcomes.chance[~np.isnan(outcomes.chance)] - 0.5)
    return Report(
        tickets=len(outcomes.rating),
        matches=len(outcomes.gap),
        share_unmatched=_mean(~matched),
        share_left=_mean(outcomes.left),
        waits=Spread.of(outcomes.wait[matched]),
        gaps=Spread.of(outcomes.gap),
        off_even=_mean(off),
        share_even=_mean(off <= _EVEN),
        cost=_mean(outcomes.cost),
        bands=tuple(bands),
        within=tuple((float(waits[at]), float((at + 1) / len(matched))) for at in steps),
    )


def _mean(values: Floats | Bools) -> float | None:
    return float(values.mean()) if values.size else None
