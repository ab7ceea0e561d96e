"""What a result tells of the difference of two performances: moments of truncated normals.

A difference of mean t and variance 1 is known to lie above a margin (a win) or within it (a
draw). `shift` (v) is how far its mean moves, `loss` (w) the share of its variance that goes.
Herbrich, Minka and Graepel (2007), "TrueSkill: a Bayesian skill rating system".
"""

import math
from typing import NamedTuple

import numpy as np
import scipy  # loads its parts when they are first used: most processes use none
from numpy.typing import ArrayLike

from ratings.systems.arrays import Bools, Floats

__all__ = ["drawn", "truncate", "within", "within_one", "won", "won_by_one"]

_ROOT_HALF, _ROOT_2_BY_PI = 0.7071067811865476, 0.7978845608028654
# Beyond so many deviations v (v + x) loses digits to cancellation; a continued fraction does not.
_FAR, _TERMS = 6.0, 25
# Nothing further than this many deviations from the peak changes the last digit of a sum.
_REACH = 8.6
# A point has no variance: this stands for it, so that a quotient stays finite.
_POINT = 1e-30


# Gauss-Legendre rules: exact to the last digits where the density changes little over the interval
# (on -1..1), and wherever it does (on 0..1).
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_MANY_NODES, _MANY_WEIGHTS = np.polynomial.legendre.leggauss(40)
_STEPS = (_MANY_NODES + 1) / 2
# "Little", of |t|·margin + margin².
_LITTLE = 1.0
# In sums with these, over the last axis, a density gives its moments 0, 1 and 2.
_MOMENTS = np.stack([_WEIGHTS * _NODES**power for power in range(3)])
_BEND = _NODES * _NODES * -0.5


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
    shift: Floats = x * -_ROOT_HALF
    scipy.special.erfcx(shift, out=shift)
    return np.divide(_ROOT_2_BY_PI, shift, out=shift)


def won(t: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """(v, w) of a win by more than `margin`: w = v (v + t - margin)."""
    x = t - margin
    shift = shift_of_win(x)
    loss = shift + x
    loss *= shift
    if np.minimum.reduce(x, initial=0.0) < -_FAR:
        far = np.flatnonzero(x < -_FAR)
        over, _ = _overshoot(-x[far])
        shift[far] = over - x[far]
        loss[far] = shift[far] * over
    return shift, loss


def won_by_one(t: float, margin: float) -> tuple[float, float]:
    """`won` of one number, the same to the bit."""
    x = t - margin
    if x < -_FAR:
        shifts, losses = won(np.array([t]), np.array([margin]))
        return float(shifts[0]), float(losses[0])
    shift = _ROOT_2_BY_PI / float(scipy.special.erfcx(x * -_ROOT_HALF))
    return shift, (shift + x) * shift


def drawn(t: Floats, margin: Floats) -> Truncated:
    """A draw: the difference is within ± `margin`. With no margin it is 0: v = -t, w = 1."""
    mean, left = within(t, margin)
    return Truncated(mean - t, 1 - left, np.maximum(left, _POINT), mean - t * left)


def within(t: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of a difference that lies within ± `margin`: t + v, and 1 - w."""
    size, square = np.abs(t), margin * margin
    slope = size * margin
    if (steep := (slope + square >= _LITTLE).nonzero()[0]).size:
        slope[steep] = square[steep] = 0  # what these give is replaced
    mean, left = _moments_of_flat(slope, square)
    mean *= margin
    if steep.size:
        mean[steep], left[steep] = _moments_of_steep(size[steep], margin[steep])
    return np.copysign(mean, t), left


def within_one(t: float, margin: float) -> tuple[float, float]:
    """`within` of one number, the same to the bit."""
    slope, square = abs(t) * margin, margin * margin
    if slope + square >= _LITTLE:
        means, lefts = within(np.array([t]), np.array([margin]))
        return float(means[0]), float(lefts[0])
    mean, left = _moments_of_flat(slope, square)
    return math.copysign(float(mean) * margin, t), float(left)


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


def _moments_of_flat(slope: ArrayLike, square: ArrayLike) -> tuple[Floats, Floats]:
    """Mean, in margins, and variance of a density exp(slope·s - square·s²/2) on -1..1.

    Numbers, or arrays of length n. `square` is that of the margin. Where both are small few digits
    are lost to cancellation.
    """
    density = np.multiply.outer(slope, _NODES)
    density += np.multiply.outer(square, _BEND)
    np.exp(density, out=density)
    total, first, second = np.add.reduce(density[..., None, :] * _MOMENTS, axis=-1).T
    first /= total
    second /= total
    second -= first * first
    second *= square
    return first, second


def _moments_of_steep(size: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of a difference within ± margin, whose mean was `size`, 0 or more.

    Quadrature of y, how far it is below the margin: of density exp(-(behind + y)² / 2). Sums of
    positive terms: no digits are lost however narrow or remote the interval is.
    """
    behind, span = size - margin, 2 * margin
    peak, remote = np.maximum(-behind, 0.0), np.maximum(behind, 0.0)
    low = np.maximum(peak - _REACH, 0.0)
    reach = _REACH * _REACH / (remote + np.sqrt(remote * remote + _REACH * _REACH))
    high = np.minimum(span, peak + reach)
    y = low[:, None] + (high - low)[:, None] * _STEPS
    above = y - peak[:, None]
    density = np.exp(above * (above + 2 * remote[:, None]) * -0.5) * _MANY_WEIGHTS
    share = density / density.sum(axis=1)[:, None]
    short = (share * y).sum(axis=1)
    off = y - short[:, None]
    return margin - short, (share * off * off).sum(axis=1)
