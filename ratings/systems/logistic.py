"""The logistic curve of Elo and Glicko, with the same bits on every machine.

`exp` and `pow` differ in their last bits between processors, between NumPy and Python, and with
the index of a number in an array. A replay must give the same ratings whatever the batches, so
the power of ten is computed from operations that IEEE 754 defines to the bit: 2^(k/32768) from a
table, and the remainder 2^d, |d| up to 1/65536, from a polynomial of the second order with its
square completed, c((d + a)² + b), whose c is in the table already. The polynomial is off by less
than 4e-16 of the power, as little as the roundings of double precision.
"""

import math
from collections.abc import Callable
from decimal import Decimal, localcontext

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Ints

__all__ = [
    "expected_score",
    "logistic",
    "logistic_for_one",
    "logistic_one",
    "raise_two",
    "rating_difference",
    "tenth_power",
    "tenth_power_one",
]

_DIGITS = 15  # binary ones of k/32768
_STEPS = 1 << _DIGITS
_LN_2 = 0.6931471805599453
# 1 / ln 2 as a multiple of a step, near enough: to shift by it costs no digit of k/32768.
_A = 47274 / _STEPS
# The third order is as good as a first one within half a step (Chebyshev): 1 + l²d²/8.
_C = _LN_2 * (1 + _LN_2 * _LN_2 / (8 << (2 * _DIGITS + 2))) / (2 * _A)
_B = 1 / _C - _A * _A
# 2^e at position e, the negative ones counted from the end.
_POWERS = [math.ldexp(1.0, exponent) for exponent in (*range(1001), *range(-1000, 0))]
_DOUBLINGS = -3.321928094887362  # in a decade: log2(10)
_LIMIT = 301.0  # decades: 10^±301 is finite, and 1 + 10^-301 is 1
# Added to a number it leaves the nearest k in the last bits, where they can be read.
_ROUNDER = 1.5 * 2.0 ** (52 - _DIGITS)
_BITS = 128


def table_of_powers(steps: int, factor: float) -> list[float]:
    """factor · 2^(k/steps) for k from 0 to steps - 1, each correctly rounded.

    Whole numbers with 128 bits behind the point: each product loses less than the last one of
    them, and a float holds the first 53.
    """
    with localcontext(prec=60):
        ratio = int(Decimal(2) ** (Decimal(1) / steps) * (1 << _BITS))
        power = int(Decimal(factor) * (1 << _BITS))
    table = []
    for _ in range(steps):
        table.append(math.ldexp(power, -_BITS))
        power = power * ratio >> _BITS
    return table


_TABLE = table_of_powers(_STEPS, _C)


# The bits of the table without what the index in it adds to the exponent and below: k, shifted
# there in one piece, then needs no splitting.
_TABLE_BITS: Ints = np.array(_TABLE).view(np.int64) - (np.arange(_STEPS) << (52 - _DIGITS))


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
    table, powers, limit, per_decade = _TABLE, _POWERS, _LIMIT, _DOUBLINGS
    a, b, step = _A, _B, 1 / _STEPS

    def expect(points: float, side: float) -> float:
        decades = points * per_point + side * per_side
        if not -limit < decades < limit:
            decades = math.copysign(limit, decades)
        doublings = decades * per_decade
        k = round(doublings * 32768.0)
        rest = doublings - (k * step - a)
        return 1.0 / ((rest * rest + b) * table[k & 32767] * powers[k >> 15] + 1.0)

    return expect


def tenth_power(decades: Floats) -> Floats:
    """10^-x as a new array; 10^±301 where it would be beyond, infinities included."""
    doublings = np.minimum(decades, _LIMIT)
    np.maximum(doublings, -_LIMIT, out=doublings)
    doublings *= _DOUBLINGS
    return raise_two(doublings)


def tenth_power_one(decades: float) -> float:
    """`tenth_power` of one number, equal to the bit."""
    if not -_LIMIT < decades < _LIMIT:
        decades = math.copysign(_LIMIT, decades)
    doublings = decades * _DOUBLINGS
    k = round(doublings * _STEPS)
    rest = doublings - (k / _STEPS - _A)
    return (rest * rest + _B) * _TABLE[k & (_STEPS - 1)] * _POWERS[k >> _DIGITS]


def raise_two(exponents: Floats) -> Floats:
    """2^y, written into the exponents, which must lie within 301 decades (some 999 doublings)."""
    rounded = exponents + _ROUNDER
    bits = rounded.view(np.int64)
    index = bits & (_STEPS - 1)
    scale = _TABLE_BITS.take(index)
    scale += np.left_shift(bits, 52 - _DIGITS, out=index)
    rounded -= _ROUNDER + _A
    exponents -= rounded
    exponents *= exponents
    exponents += _B
    exponents *= scale.view(np.float64)
    return exponents


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
