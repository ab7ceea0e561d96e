"""Every player of a contest against everyone on another side."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ratings.systems.arrays import Floats, Ints
from ratings.systems.logistic import logistic
from ratings.systems.zonestats.field import Field
from ratings.systems.zonestats.parameters import ZoneStatsParameters

__all__ = ["Pairs", "expect", "pairs_of"]

_PER_PIECE = 1 << 18  # bounds the memory; changes no figure
_DECADES = 0.4342944819032518  # log10(e)


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """p pairs of rows of one field, both ways round, a row with itself and its team mates too.

    low, high   the rows `own` counts from and up to, for which these are all pairs
    own, other  int64, rows of the field
    opposed     float64, 1 on opposing sides, else 0
    """

    low: int
    high: int
    own: Ints
    other: Ints
    opposed: Floats

    def total(self, figures: Floats) -> Floats:
        """Sum up by row, in the order of the pairs, so that the bits do not depend on the piece."""
        index, rows = self.own - self.low, self.high - self.low
        total: Floats = np.bincount(index, weights=figures, minlength=rows).astype(float)
        return total


def pairs_of(field: Field) -> Iterator[Pairs]:
    """All pairs of a field, some rows after the other."""
    contest = np.repeat(np.arange(len(field)), field.sizes)
    partners = field.sizes[contest]
    ends = np.cumsum(partners)
    low, rows = 0, len(contest)
    while low < rows:
        done = ends[low - 1] if low else 0
        high = max(int(np.searchsorted(ends, done + _PER_PIECE, side="right")), low + 1)
        count = partners[low:high]
        own = np.repeat(np.arange(low, high), count)
        first = field.starts[contest[low:high]] - (ends[low:high] - count - done)
        other = np.arange(len(own)) + np.repeat(first, count)
        yield Pairs(low, high, own, other, (field.team[own] != field.team[other]).astype(float))
        low = high


def expect(parameters: ZoneStatsParameters, own: Floats, other: Floats) -> Floats:
    """P = 1 / (1 + exp((r_opp - r_me) / T)), with the same bits on every machine."""
    with np.errstate(over="ignore"):  # an infinite difference is sure to win
        return logistic((own - other) * (_DECADES / parameters.spread))
