"""The logistic curve of Elo and Glicko, with the same bits on every machine.

`exp` and `pow` differ in their last bits between processors, between NumPy and Python, and with
the place of a number in an array. A replay must give the same ratings whatever the batches, so
the power of ten is computed from operations that IEEE 754 defines to the bit: 2^(k/16384) from a
table, the remainder by a polynomial of the second order (error below 4e-16 of the power).
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Ints
from ratings.systems.powers import table_of_powers

__all__ = [
    "expected_score",
    "logistic",
    "logistic_for_one",
    "logistic_one",
    "power_of_steps",
    "rating_difference",
    "tenth_power",
    "tenth_power_one",
    "to_steps",
]

_DIGITS = 14  # binary, of a step
_STEPS = 1 << _DIGITS
_TABLE = table_of_powers(_STEPS)
# The bits of the table without what the place in it adds to the exponent and below: the steps,
# whole ones shifted there, then need no splitting.
_TABLE_BITS: Ints = np.array(_TABLE).view(np.int64) - (np.arange(_STEPS) << (52 - _DIGITS))
# 2^e at position e, the negative ones counted from the end.
_POWERS = [math.ldexp(1.0, exponent) for exponent in (*range(1001), *range(-1000, 0))]
_STEPS_PER_DECADE = -_STEPS * 3.321928094887362  # log2(10)
_LIMIT = 301.0  # decades: 10^±301 is finite, and 1 + 10^-301 is 1
_LOG_STEP = 0.6931471805599453 / _STEPS  # ln 2
_C2 = _LOG_STEP * _LOG_STEP / 2
# The third order, as good as a first one does it within half a step (Chebyshev).
_C1 = _LOG_STEP + _LOG_STEP * _LOG_STEP * _LOG_STEP / 32
# Added to a number it leaves the nearest whole one in the last bits, where they can be read.
_ROUNDER = 1.5 * 2.0**52


def logistic(decades: Floats) -> Floats:
    """1 / (1 + 10^-x) for every x, infinities included."""
    power = tenth_power(decades)
    power += 1.0
    return np.divide(1.0, power, out=power)


def logistic_one(decades: float) -> float:
    """`logistic` of one number, equal to the bit."""
    return 1.0 / (tenth_power_one(decades) + 1.0)


def logistic_for_one(per_point: float, per_side: float) -> Callable[[float, float], float]:
    """`logistic` as a function of points and side, equal to the bit of the sum of both in decades.

    Written out in one piece: it is called twice for every game that is played alone.
    """
    table, powers, limit, per_decade = _TABLE, _POWERS, _LIMIT, _STEPS_PER_DECADE

    def expect(points: float, side: float) -> float:
        decades = points * per_point + side * per_side
        if not -limit < decades < limit:
            decades = math.copysign(limit, decades)
        steps = decades * per_decade
        whole = round(steps)
        rest = steps - whole
        power = (rest * _C2 + _C1) * rest + 1.0
        return 1.0 / (power * table[whole & 16383] * powers[whole >> 14] + 1.0)

    return expect


def tenth_power(decades: Floats) -> Floats:
    """10^-x as a new array; 10^±301 where it would be beyond, infinities included."""
    return power_of_steps(to_steps(decades))


def tenth_power_one(decades: float) -> float:
    """`tenth_power` of one number, equal to the bit."""
    if not -_LIMIT < decades < _LIMIT:
        decades = math.copysign(_LIMIT, decades)
    steps = decades * _STEPS_PER_DECADE
    whole = round(steps)
    rest = steps - whole
    power = (rest * _C2 + _C1) * rest + 1.0
    return power * _TABLE[whole & (_STEPS - 1)] * _POWERS[whole >> _DIGITS]


def to_steps(decades: Floats, out: Floats | None = None) -> Floats:
    """-x in steps of the table, at most those of 301 decades either way."""
    steps = np.minimum(decades, _LIMIT, out=out)
    np.maximum(steps, -_LIMIT, out=steps)
    steps *= _STEPS_PER_DECADE
    return steps


def power_of_steps(steps: Floats) -> Floats:
    """2 to so many steps, within what `to_steps` gives; `steps` is used up."""
    rounded = steps + _ROUNDER
    bits = rounded.view(np.int64)
    scale = _TABLE_BITS.take(bits & (_STEPS - 1))
    bits_of_whole = bits << (52 - _DIGITS)
    scale += bits_of_whole
    rounded -= _ROUNDER
    steps -= rounded
    power = np.multiply(steps, _C2, out=rounded)
    power += _C1
    power *= steps
    power += 1.0
    power *= scale.view(np.float64)
    return power


def expected_score(difference: ArrayLike, *, class_interval: float = 200.0) -> Floats:
    """Expected score of a player who is `difference` rating points ahead: array, 0..1.

    E = 1 / (1 + 10^(-D / 2C)) with the class interval C in rating points (Elo 1978, 8.4).
    """
    ahead = np.asarray(difference, dtype=np.float64)
    return logistic(ahead.ravel() * (1 / (2 * class_interval))).reshape(ahead.shape)


def rating_difference(score: float, *, class_interval: float = 200.0) -> float:
    """Rating points ahead at which `score` is expected: the inverse of `expected_score`.

    D = 2C · log10(1 / (1/p - 1)); raises ValueError unless 0 < p < 1, where D is not finite.
    """
    if not 0 < score < 1:
        raise ValueError(f"score {score!r}: must lie between 0 and 1, both excluded")
    return 2 * class_interval * (math.log10(score) - math.log10(1 - score))
