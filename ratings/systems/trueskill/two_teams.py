"""What the result of two teams says of their performances, in closed form."""

import math

import numpy as np

from ratings.systems.arrays import Floats
from ratings.systems.trueskill.truncation import within, within_one, won, won_by_one

__all__ = ["FURTHEST", "StepAndDrop", "settle_one", "settle_two"]

# So many deviations between two teams are as many as can be counted with.
FURTHEST = 1e50

# (step, drop) of teams. A member of variance σ² moves by σ² step, and keeps the share 1 - σ² drop
# of the variance, where the member was there for all of it; else see `partial_play`.
StepAndDrop = tuple[Floats, Floats]


def settle_two(ahead: Floats, variance: Floats, margin: Floats, outcome: Floats) -> StepAndDrop:
    """(step, drop) of the first of two teams, arrays of length n; the second has (-step, drop).

    ahead     mean performance of the first less that of the second
    variance  of that difference, above 0
    margin    of a draw, in points
    outcome   1 first won, 0 drawn, -1 second won
    """
    share = 1 / np.sqrt(variance)
    t = ahead * share
    margin = margin * share
    shift, loss = won(t * outcome, margin)
    shift *= outcome
    tied = (outcome == 0).nonzero()[0]
    if tied.size:
        of_tied = t.take(tied)
        mean, left = within(of_tied, margin.take(tied))
        shift[tied], loss[tied] = mean - of_tied, 1 - left
    shift *= share
    loss /= variance
    return shift, loss


def settle_one(ahead: float, variance: float, margin: float, outcome: float) -> tuple[float, float]:
    """`settle_two` of one contest, the same to the bit."""
    share = 1 / math.sqrt(variance)
    t, margin = ahead * share, margin * share
    if outcome == 0:
        mean, left = within_one(t, margin)
        return (mean - t) * share, (1 - left) / variance
    shift, loss = won_by_one(t * outcome, margin)
    return shift * outcome * share, loss / variance
