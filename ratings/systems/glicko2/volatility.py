"""The new volatilities of a Glicko-2 period, for all players at once.

σ'² = e^x at the root x of the published f. With y = x - ln σ², the information I = 1/v, the
surprise J = Δ/v and s = σ²e^y, and without dividing by what may be 0, f reads

    m = 1 + I(φ² + s),   f(y) = (s / 2m)(J²/m - I) - y/τ²

Newton's steps start at the old volatility. A bracket holds the root all the time; a step that
leaves it, or that no longer halves, is replaced by the bracket's middle.
"""

from dataclasses import dataclass

import numpy as np

from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.logistic import tenth_power

__all__ = ["MOST_STEPS", "SMALLEST", "Settled", "settle_volatility"]

# Volatilities below this are taken for it.
SMALLEST = 1e-6
MOST_STEPS = 100
# Newton's error after a step is about the step squared.
_CLOSE = 1e-7
_NARROW = 1e-13
# Up to here e^y is exact to the last bits by five terms; most volatilities change by less.
_CALM = 0.005
# From the smallest volatility to the largest that can be set, 10: 2 ln(10 / 1e-6).
_FURTHEST = 32.3
_DECADE = 2.302585092994046  # ln 10


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """How the volatilities of k players were found.

    volatility  float64, within the smallest and the largest
    steps       int64, how many each took; at most those allowed, MOST_STEPS
    is_settled  bool, False where the steps ran out: the volatility is the best one found by then
    """

    volatility: Floats
    steps: Ints
    is_settled: Bools


@dataclass(slots=True, eq=False)
class _Search:
    """The players whose root is still sought; every array is as long."""

    row: Ints
    start: Floats  # σ²
    base: Floats  # 1 + Iφ²
    information: Floats
    surprise: Floats  # J²
    y: Floats
    growth: Floats  # e^y
    low: Floats  # the root lies between low and high
    high: Floats
    stride: Floats  # length of the step before

    def keep(self, rest: Ints) -> None:
        """Go on with some of them."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name).take(rest))
        self.growth = tenth_power(self.y * (-1 / _DECADE))  # e^y, the same bits on every machine


def settle_volatility(
    volatility: Floats,
    variance: Floats,
    information: Floats,
    surprise: Floats,
    *,
    tau: float,
    highest: float,
    most_steps: int = MOST_STEPS,
) -> Settled:
    """σ' of k players from σ, φ², 1/v = Σ g²E(1 - E) and Δ/v = Σ g(w - E), each of length k.

    σ must be from SMALLEST on; σ' is cut at `highest`. Where f has three roots, which takes a
    surprise far beyond any real one, it is one of them.
    """
    squared, base = volatility * volatility, 1 + information * variance
    beaten, rate = surprise * surprise, 1 / (tau * tau)
    growth, is_settled = _settle_calm(squared, base, information, beaten, rate)
    steps = np.full(len(growth), 2)
    if (rest := np.flatnonzero(~is_settled)).size:
        count = len(rest)
        search = _Search(
            row=rest,
            start=squared.take(rest),
            base=base.take(rest),
            information=information.take(rest),
            surprise=beaten.take(rest),
            y=np.zeros(count),
            growth=np.ones(count),
            low=np.full(count, -tau * tau / 2),  # no root lies below: f(y) > -1/2 - y/τ²
            high=np.full(count, _FURTHEST),
            stride=np.full(count, np.inf),
        )
        steps[rest] = most_steps
        for step in range(1, most_steps + 1):
            done = _step(search, rate, highest * highest)
            settled = search.row[done]
            growth[settled], steps[settled], is_settled[settled] = search.growth[done], step, True
            if done.all():
                break
            search.keep(np.flatnonzero(~done))
        else:
            growth[search.row] = search.growth
    squared *= growth
    found = np.sqrt(squared, out=squared)
    return Settled(np.clip(found, SMALLEST, highest, out=found), steps, is_settled)


def _settle_calm(
    squared: Floats, base: Floats, information: Floats, surprise: Floats, rate: float
) -> tuple[Floats, Bools]:
    """Two of Newton's steps for everybody, e^y by its series: e^y, and where that is enough."""
    f, slope = _f(squared, base, information, surprise, rate)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # judged just below
        first = np.divide(f, slope, out=f)
    np.negative(first, out=first)
    is_settled = (slope < 0) & (np.abs(first) <= _CALM)
    first[~is_settled] = 0.0
    growth = _exp_near_0(first)
    f, slope = _f(squared * growth, base, information, surprise, rate)
    f -= first * rate
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # judged just below
        second = np.divide(f, slope, out=f)
    is_settled &= (slope < 0) & (np.abs(second) <= _CLOSE)
    second[~is_settled] = 0.0
    growth *= np.subtract(1.0, second, out=second)
    return growth, is_settled


def _step(search: _Search, rate: float, ceiling: float) -> Bools:
    """Take one step; True where it was the last. `rate` is 1/τ², `ceiling` the largest σ'²."""
    y, squared = search.y, search.start * search.growth
    f, slope = _f(squared, search.base, search.information, search.surprise, rate)
    f -= y * rate
    np.copyto(search.low, y, where=f >= 0)
    np.copyto(search.high, y, where=f <= 0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # judged just below
        step = -f / slope
    length, target = np.abs(step), y + step
    is_close = (slope < 0) & (length <= _CLOSE)
    is_good = (target > search.low) & (target < search.high) & (2 * length <= search.stride)
    halve = np.flatnonzero(~(is_close | (is_good & (slope < 0))))
    if halve.size:
        target[halve] = (search.low[halve] + search.high[halve]) / 2
        step[halve] = target[halve] - y[halve]
        length[halve] = np.abs(step[halve])
    search.y, search.stride = target, length
    search.growth *= 1 + step  # exact enough after a last step; else computed anew
    is_narrow = search.high - search.low <= _NARROW
    return is_close | is_narrow | ((f >= 0) & (squared >= ceiling))


def _f(
    squared: Floats, base: Floats, information: Floats, surprise: Floats, rate: float
) -> tuple[Floats, Floats]:
    """f but for its last term, - y/τ², and the slope of all of f, where σ'² is `squared`."""
    known = information * squared
    m = base + known
    share = squared / m
    share *= 0.5
    shape = surprise / m
    f = shape - information
    f *= share
    slope = base - known
    slope *= shape
    slope -= information * base
    share /= m
    slope *= share
    slope -= rate
    return f, slope


def _exp_near_0(y: Floats) -> Floats:
    """e^y for |y| up to _CALM: the first terms of its series."""
    power = y * (1 / 120)
    for coefficient in (1 / 24, 1 / 6, 1 / 2, 1.0):
        power += coefficient
        power *= y
    power += 1.0
    return power
