"""The core's arithmetic alone: what a period of Glicko or Glicko-2 takes as bare NumPy, which ours cannot go below.

The published equations over all games and players of each period, by the operations that ours are made of and on
arrays as long: deviations grow, ratings are looked up by game, the logistic curve, both sums by player, and the
renewal. Glicko-2 moreover takes two of Newton's steps to the volatility for everybody who played, which is enough for
nearly all, and none for the others. No object is made, nothing is checked, kept within bounds, counted or copied.
"""

import sys
import time
from itertools import pairwise

import numpy as np

from ratings.systems.arrays import Floats, Ints
from ratings.systems.glicko.parameters import GlickoParameters
from ratings.systems.glicko.period import Q
from ratings.systems.glicko2.parameters import Glicko2Parameters
from ratings.systems.logistic import raise_two

_SPREAD = 3 * Q * Q / (np.pi * np.pi)
_DOUBLINGS = -1.4426950408889634  # -1 / ln 2: the exponent of 2 in the odds
# Games, and players, at a time: as ours, so that the steps between stay in the processor's cache.
_GAMES, _PLAYERS = 16_384, 8192

# Positions of first and of second players, one array, and the scores of the first.
Period = tuple[Ints, Floats]


def weigh(value: Floats, variance: Floats, period: Period) -> tuple[Floats, Floats]:
    """Σ q²g²E(1 - E) and Σ q g(w - E) of each player."""
    players, score = period
    first, second = players.reshape(2, -1)
    slope = Q / np.sqrt(1.0 + variance * _SPREAD)
    ahead = value.take(first)
    ahead -= value.take(second)
    ahead *= _DOUBLINGS
    met, told = np.empty((2, len(score))), np.empty((2, len(score)))
    # "clip" spares a copy: these are positions of the players.
    slope.take(second, out=met[0], mode="clip")
    slope.take(first, out=met[1], mode="clip")
    for start in range(0, len(score), _GAMES):
        block = slice(start, start + _GAMES)
        odds = raise_two(met[:, block] * ahead[block])
        odds += 1.0
        other, weighed = met[:, block], told[:, block]
        certain = np.divide(other, odds, out=odds)
        np.subtract(other, certain, out=weighed)
        weighed *= certain
        other *= score[block]
        other[0] -= certain[0]
        np.subtract(certain[1], other[1], out=other[1])
    n = len(value)
    information, surprise = (np.bincount(players, sides.ravel(), n) for sides in (told, met))
    return information.astype(np.float64, copy=False), surprise.astype(np.float64, copy=False)


def glicko(periods: list[Period], n: int) -> Floats:
    """The ratings after all periods; their deviations are found as well."""
    given = GlickoParameters()
    value, deviation = np.full(n, given.start), np.full(n, given.deviation_start)
    growth, highest = given.c * given.c, given.deviation_max
    for period in periods:
        variance = deviation * deviation
        variance += growth
        np.sqrt(variance, out=deviation)
        np.minimum(deviation, highest, out=deviation)
        np.multiply(deviation, deviation, out=variance)
        information, surprise = weigh(value, variance, period)
        information *= variance
        information += 1.0
        variance /= information
        surprise *= variance
        value = np.add(value, surprise, out=surprise)
        np.sqrt(variance, out=deviation)
    return value


def glicko2(periods: list[Period], n: int) -> Floats:
    """The ratings after all periods; who rests grows by σ², who plays once more by the new one."""
    given = Glicko2Parameters()
    value, deviation = np.full(n, given.start), np.full(n, given.deviation_start)
    volatility, rate = np.full(n, given.volatility), 1 / (given.tau * given.tau)
    highest = given.deviation_max
    for period in periods:
        variance = volatility * (1 / Q)
        variance *= variance
        variance += deviation * deviation
        np.sqrt(variance, out=deviation)
        np.minimum(deviation, highest, out=deviation)
        np.multiply(deviation, deviation, out=variance)
        information, surprise = weigh(value, variance, period)
        playing = np.flatnonzero(information)
        for start in range(0, len(playing), _PLAYERS):
            who = playing[start : start + _PLAYERS]
            told, spread = information.take(who), variance.take(who)
            gain = surprise.take(who)
            settled = settle(volatility.take(who), spread, told, gain, rate)
            grown = settled * (1 / Q)
            grown *= grown
            spread += grown
            told *= spread
            told += 1.0
            spread /= told
            gain *= spread
            gain += value.take(who)
            value[who], variance[who], volatility[who] = gain, spread, settled
        np.sqrt(variance, out=deviation)
    return value


def settle(
    volatility: Floats, variance: Floats, information: Floats, surprise: Floats, rate: float
) -> Floats:
    """σ' after two of Newton's steps from σ; see `ratings.systems.glicko2.volatility` for f."""
    squared, told = volatility * volatility, information * (1 / (Q * Q))
    base = told * variance
    base *= Q * Q
    base += 1.0
    beaten = surprise * (1 / Q)
    beaten *= beaten
    first = newton(squared, base, told, beaten, rate, None)
    growth = first * (1 / 120)
    for coefficient in (1 / 24, 1 / 6, 1 / 2, 1.0):
        growth += coefficient
        growth *= first
    growth += 1.0
    second = newton(squared * growth, base, told, beaten, rate, first)
    second += 1.0
    growth *= second
    squared *= growth
    return np.sqrt(squared, out=squared)


def newton(
    squared: Floats, base: Floats, told: Floats, beaten: Floats, rate: float, y: Floats | None
) -> Floats:
    """The step from y, 0 where it is None, at which σ'² is `squared`."""
    known = told * squared
    m = base + known
    share = squared / m
    share *= 0.5
    shape = beaten / m
    f = shape - told
    f *= share
    if y is not None:
        f -= y * rate
    slope = base - known
    slope *= shape
    slope -= told * base
    share /= m
    slope *= share
    np.subtract(rate, slope, out=slope)
    return np.divide(f, slope, out=f)


CORES = {"glicko": glicko, "glicko2": glicko2}


def main(name: str, path: str) -> None:
    """Go through all periods; print the seconds."""
    with np.load(path) as stored:
        games = dict(stored)
    bounds = np.flatnonzero(np.diff(games["period"], prepend=-1, append=-1)).tolist()
    sides = [
        (games["first"][low:high], games["second"][low:high]) for low, high in pairwise(bounds)
    ]
    scores = [games["score"][low:high] for low, high in pairwise(bounds)]
    periods = [(np.concatenate(pair), score) for pair, score in zip(sides, scores, strict=True)]
    core, n = CORES[name], int(games["players"])
    core(periods, n)  # as ours: in a process that has done it before
    began = time.perf_counter()
    core(periods, n)
    print(time.perf_counter() - began)


if __name__ == "__main__":
    main(*sys.argv[1:])
