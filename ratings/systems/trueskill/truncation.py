"""What a result tells of the difference of two performances: moments of truncated normals.

A difference of mean t and variance 1 is known to lie above a margin (a win) or within it (a
draw). `shift` (v) is how far its mean moves, `loss` (w) the share of its variance that goes.
Herbrich, Minka and Graepel (2007), "TrueSkill: a Bayesian skill rating system".
"""

from typing import NamedTuple

import numpy as np
from scipy.special import erfcx

from ratings.systems.arrays import Bools, Floats

__all__ = ["Truncated", "drawn", "shift_of_win", "truncate", "won"]

_ROOT_HALF, _ROOT_2_BY_PI = 0.7071067811865476, 0.7978845608028654
# Beyond so many deviations v (v + x) loses digits to cancellation; a continued fraction does not.
_FAR, _TERMS = 6.0, 25
# Nothing further than this many deviations from the peak changes the last digit of a sum.
_REACH = 8.6
# A point has no variance: this stands for it, so that a quotient stays finite.
_POINT = 1e-30


def _rule(points: int) -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(points)
    return (nodes + 1) / 2, weights


# Gauss-Legendre rules on 0..1: exact to the last digits where the density changes little over
# the interval, and wherever it does.
_FEW, _MANY = _rule(10), _rule(40)
_LITTLE = 2.0


class Truncated(NamedTuple):
    """Arrays of one shape, in deviations of the difference.

    shift  v, from the mean t to the mean of the truncated normal
    loss   w, 0..1: 1 - the variance of the truncated normal
    left   1 - w, exact where w is next to 1
    pull   v + t·w, exact where both are next to each other
    """

    shift: Floats
    loss: Floats
    left: Floats
    pull: Floats


def shift_of_win(x: Floats) -> Floats:
    """v(x) = φ(x) / Φ(x) for every finite x."""
    shift: Floats = _ROOT_2_BY_PI / erfcx(x * -_ROOT_HALF)
    return shift


def won(t: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """(v, w) of a win by more than `margin`: w = v (v + t - margin)."""
    x = t - margin
    shift = shift_of_win(x)
    loss = shift * (shift + x)
    if (far := np.flatnonzero(x < -_FAR)).size:
        over, _ = _overshoot(-x[far])
        shift[far] = over - x[far]
        loss[far] = shift[far] * over
    return shift, loss


def drawn(t: Floats, margin: Floats) -> Truncated:
    """A draw: the difference is within ± `margin`. With no margin it is 0: v = -t, w = 1."""
    behind = np.abs(t) - margin
    span = 2 * margin
    is_flat = span * (np.maximum(behind, 0.0) + span) < _LITTLE
    short, left = _moments(behind, span, _FEW)
    if (others := np.flatnonzero(~is_flat)).size:
        short[others], left[others] = _moments(behind[others], span[others], _MANY)
    sign = np.where(t < 0, -1.0, 1.0)
    pull = margin - short - np.abs(t) * left
    return Truncated(-sign * (behind + short), 1 - left, np.maximum(left, _POINT), sign * pull)


def truncate(t: Floats, margin: Floats, tied: Bools) -> Truncated:
    """Wins by the side ahead, or draws where `tied`, with what a chain of results needs."""
    shift, loss = won(t, margin)
    left, pull = 1 - loss, shift + t * loss
    if (far := np.flatnonzero(t - margin < -_FAR)).size:
        over, under = _overshoot(margin[far] - t[far])
        left[far] = over * (under - over)
        pull[far] = shift[far] * over * under + margin[far] * loss[far]
    if tied.any():
        for column, of_draws in zip(
            (shift, loss, left, pull), drawn(t[tied], margin[tied]), strict=True
        ):
            column[tied] = of_draws
    return Truncated(shift, loss, left, pull)


def _overshoot(y: Floats) -> tuple[Floats, Floats]:
    """(s, r) for y beyond `_FAR`: s = φ(y)/Φ(-y) - y = 1 / (y + r), r = 2 / (y + 3 / (y + …))."""
    under = np.zeros(y.shape)
    for term in range(_TERMS, 1, -1):
        under = term / (y + under)
    return 1 / (y + under), under


def _moments(behind: Floats, span: Floats, rule: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Mean and variance of y in 0..span of density exp(-(behind + y)² / 2), by quadrature.

    Sums of positive terms: no digits are lost however narrow or remote the interval is.
    """
    peak, remote = np.maximum(-behind, 0.0), np.maximum(behind, 0.0)
    low = np.maximum(peak - _REACH, 0.0)
    reach = _REACH * _REACH / (remote + np.sqrt(remote * remote + _REACH * _REACH))
    high = np.minimum(span, peak + reach)
    y = low[:, None] + (high - low)[:, None] * rule[0]
    above = y - peak[:, None]
    density = np.exp(above * (above + 2 * remote[:, None]) * -0.5) * rule[1]
    share = density / density.sum(axis=1)[:, None]
    mean = (share * y).sum(axis=1)
    off = y - mean[:, None]
    return mean, (share * off * off).sum(axis=1)
