"""What the games of one period of Glicko or Glicko-2 say of those who played them, as arrays.

Both systems learn the same two sums from a player's games.
"""

import math
from dataclasses import dataclass

import numpy as np

from ratings.systems.arrays import Floats, Ints
from ratings.systems.logistic import raise_two

__all__ = [
    "Evidence",
    "Q",
    "attenuation",
    "renew_variance",
    "steepness",
    "weigh_pairs",
]

Q = 2.302585092994046 / 400  # ln 10, written out: libraries differ in the last bit
_SPREAD = 3 * Q * Q / (math.pi * math.pi)
# Points: further ahead is a sure win, and 10^(points / 400) stays finite.
_FARTHEST = 120_400.0
_DOUBLINGS = -1.4426950408889634  # of the odds, in a fall by 1/q points: 1 / ln 2
# Games at a time, so that the steps of the logistic curve stay in the processor's cache. What is
# looked up by player is faster at once.
_BLOCK = 16_384


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the games say of each of n players; E is what was expected, w what was reached.

    information  Σ q²g²E(1 - E), 0 or above, 1/points²: how much they say; 1/d² of Glicko
    surprise     Σ q g(w - E), 1/points: how much better the player did than expected
    """

    information: Floats
    surprise: Floats

    def take(self, who: Ints) -> "Evidence":
        """What they say of some players."""
        return Evidence(self.information.take(who), self.surprise.take(who))


def attenuation(deviation: Floats) -> Floats:
    """g(RD) = 1 / √(1 + 3q²RD²/π²), for arrays of any shape, deviations in points."""
    return _attenuated(1.0, deviation * deviation)


def steepness(variance: Floats) -> Floats:
    """q g(RD), how fast odds change by the points against such an opponent, from RD² in points²."""
    return _attenuated(Q, variance)


def renew_variance(variance: Floats, information: Floats) -> None:
    """1 / (1/RD² + 1/d²), points², written into `variance`; `information` is used up."""
    information *= variance
    information += 1.0
    variance /= information


def weigh_pairs(
    value: Floats,
    slope: Floats,
    pairs: Ints,
    score: Floats,
    lead: Floats | None,
    expected: Floats | None = None,
) -> tuple[Floats, Floats]:
    """What m games say of both who met, (2, m) each: the terms of `information` and of `surprise` in `Evidence`.

    value, slope  float64, points and steepness of those who play, before
    pairs         int64, (2, m): positions among them, the first of each pair and the second
    score         float64, length m, of the first
    lead          float64, length m: points by which the side played puts the first ahead; None: nobody has any
    expected      float64, (2, m): what was expected of both is written there if it is given; only explanations need it
    """
    first, second = pairs
    # How far the first players are ahead: multiplied by the steepness, the exponent of 2 in the odds.
    ahead = value.take(first)
    with np.errstate(over="ignore"):  # an infinite difference is sure to win
        ahead -= value.take(second)
        if lead is not None:
            ahead += lead
    np.clip(ahead, -_FARTHEST, _FARTHEST, out=ahead)
    ahead *= _DOUBLINGS
    # q g of the opponent whom each player met; then q g(w - E).
    other = np.empty(pairs.shape)
    # "clip" only spares a copy: these are positions of those who play.
    slope.take(second, out=other[0], mode="clip")
    slope.take(first, out=other[1], mode="clip")
    information = np.empty(pairs.shape)
    for start in range(0, len(score), _BLOCK):
        block = slice(start, start + _BLOCK)
        odds = raise_two(other[:, block] * ahead[block])
        odds += 1.0
        if expected is not None:
            np.divide(1.0, odds, out=expected[:, block])
        # Both rows of `odds` are 1/E of the first player. With E and w of the second player 1 less
        # those of the first, both rows differ in a sign.
        met, weighed = other[:, block], information[:, block]
        certain = np.divide(met, odds, out=odds)
        np.subtract(met, certain, out=weighed)
        weighed *= certain
        met *= score[block]
        met[0] -= certain[0]
        np.subtract(certain[1], met[1], out=met[1])
    if expected is not None:
        np.subtract(1.0, expected[1], out=expected[1])
    return information, other


def _attenuated(full: float, variance: Floats) -> Floats:
    g = variance * _SPREAD
    g += 1.0
    np.sqrt(g, out=g)
    return np.divide(full, g, out=g)
