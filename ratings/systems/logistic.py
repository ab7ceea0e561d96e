"""The logistic curve of Elo and Glicko, with the same bits on every machine.

`exp` and `pow` differ in their last bits between processors, between NumPy and Python, and with
the place of a number in an array. A replay must give the same ratings whatever the batches, so
the power of ten is computed from operations that IEEE 754 defines to the bit: 2^(k/64) from a
table, the remainder by its Taylor series to the fifth order (error below 1e-16).
"""

import math
from collections.abc import Callable
from decimal import Decimal

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Ints

__all__ = [
    "expected_score",
    "logistic",
    "logistic_for_one",
    "logistic_one",
    "rating_difference",
    "tenth_power",
    "tenth_power_one",
]

_STEPS = 64
# Correctly rounded by decimal arithmetic, hence equal everywhere.
_TABLE = [float(Decimal(2) ** (Decimal(step) / _STEPS)) for step in range(_STEPS)]
_TABLE_BITS: Ints = np.array(_TABLE).view(np.int64)
# 2^e at position e, the negative ones counted from the end.
_POWERS = [math.ldexp(1.0, exponent) for exponent in (*range(1001), *range(-1000, 0))]
_STEPS_PER_DECADE = -_STEPS * 3.321928094887362  # log2(10)
_LOG_STEP = 0.6931471805599453 / _STEPS  # ln 2
_LIMIT = 301.0  # decades: 10^±301 is finite, and 1 + 10^-301 is 1
_C2, _C3, _C4, _C5 = 1 / 2, 1 / 6, 1 / 24, 1 / 120
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
        x = (steps - whole) * _LOG_STEP
        power = ((((x * _C5 + _C4) * x + _C3) * x + _C2) * x + 1.0) * x + 1.0
        return 1.0 / (power * table[whole & 63] * powers[whole >> 6] + 1.0)

    return expect


def tenth_power(decades: Floats) -> Floats:
    """10^-x as a new array; 10^±301 where it would be beyond, infinities included."""
    steps = np.minimum(decades, _LIMIT)
    np.maximum(steps, -_LIMIT, out=steps)
    steps *= _STEPS_PER_DECADE
    rounded = steps + _ROUNDER
    bits = rounded.view(np.int64)
    scale = _TABLE_BITS.take(bits & (_STEPS - 1))
    # The whole power of two goes straight into the exponent bits of the number.
    scale += bits >> 6 << 52
    rounded -= _ROUNDER
    steps -= rounded
    steps *= _LOG_STEP
    power = np.multiply(steps, _C5, out=rounded)
    for coefficient in (_C4, _C3, _C2, 1.0):
        power += coefficient
        power *= steps
    power += 1.0
    power *= scale.view(np.float64)
    return power


def tenth_power_one(decades: float) -> float:
    """`tenth_power` of one number, equal to the bit."""
    if not -_LIMIT < decades < _LIMIT:
        decades = math.copysign(_LIMIT, decades)
    steps = decades * _STEPS_PER_DECADE
    whole = round(steps)
    x = (steps - whole) * _LOG_STEP
    power = ((((x * _C5 + _C4) * x + _C3) * x + _C2) * x + 1.0) * x + 1.0
    return power * _TABLE[whole & 63] * _POWERS[whole >> 6]


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
