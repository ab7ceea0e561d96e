"""One Glicko period over arrays: expectations, sums per player, new ratings."""

import math
from dataclasses import dataclass

import numpy as np

from ratings.systems.arrays import Floats, Ints
from ratings.systems.logistic import logistic
from ratings.systems.results import Duels

__all__ = ["Period", "attenuation", "rate_period"]

_Q = 2.302585092994046 / 400  # ln 10, written out: libraries differ in the last bit
_SPREAD = 3 * _Q * _Q / (math.pi * math.pi)
# Games at a time, so that what is computed of them stays in the processor's cache.
_BLOCK = 16_384


@dataclass(frozen=True, slots=True, eq=False)
class Period:
    """What one period gives: arrays of length n, and of shape (2, m) for both sides of m games.

    value     points, after the period
    variance  RD'², points², after the period
    gain      q / (1/RD² + 1/d²), points a full surprise is worth against a sure opponent
    g         (n) attenuation by each player's own deviation
    expected  (2, m) row 0 of the first players, row 1 of the second
    """

    value: Floats
    variance: Floats
    gain: Floats
    g: Floats
    expected: Floats


def attenuation(deviation: Floats) -> Floats:
    """g(RD) = 1 / √(1 + 3q²RD²/π²), for arrays of any shape, deviations in points."""
    g: Floats = 1 / np.sqrt(1 + _SPREAD * deviation * deviation)
    return g


def rate_period(value: Floats, deviation: Floats, duels: Duels) -> Period:
    """Rate one period from values and deviations (points, length n) before it."""
    n, g = len(value), attenuation(deviation)
    players = np.stack((duels.first, duels.second))
    expected, information, surprise = _both_sides(value, g, players, duels.score)
    # `bincount` adds in the order of the games: the same bits on every machine.
    everybody = players.ravel()
    known = np.bincount(everybody, information.ravel(), n)
    surprises = np.bincount(everybody, surprise.ravel(), n)
    precision = 1 / (deviation * deviation) + _Q * _Q * known
    gain = _Q / precision
    return Period(value + gain * surprises, 1 / precision, gain, g, expected)


def _both_sides(
    value: Floats, g: Floats, players: Ints, score: Floats
) -> tuple[Floats, Floats, Floats]:
    """(E, g²E(1 - E), g(w - E)) of each side of each game, g the opponent's: shape (2, m)."""
    expected, information, surprise = (np.empty(players.shape) for _ in range(3))
    for start in range(0, len(score), _BLOCK):
        block = slice(start, start + _BLOCK)
        pair = players[:, block]
        other_g, own = g[pair][::-1], value[pair]
        e = expected[:, block] = _expect(own, other_g)
        actual = np.stack((score[block], 1.0 - score[block]))
        np.multiply(other_g, actual - e, out=surprise[:, block])
        np.multiply(other_g * other_g, e * (1 - e), out=information[:, block])
    return expected, information, surprise


def _expect(own: Floats, other_g: Floats) -> Floats:
    with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
        return logistic((own - own[::-1]) * other_g * (1 / 400))
