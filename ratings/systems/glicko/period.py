"""One period of Glicko or Glicko-2 over arrays: who played, and what their games say of them.

Both systems learn the same two sums from a player's games, and only those who played are computed.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.logistic import raise_two, to_doublings
from ratings.systems.results import Duels

__all__ = ["Evidence", "Field", "Q", "attenuation", "gather_evidence", "renewed_variance"]

Q = 2.302585092994046 / 400  # ln 10, written out: libraries differ in the last bit
_SPREAD = 3 * Q * Q / (math.pi * math.pi)
# Games at a time, so that what is computed of them stays in the processor's cache.
_BLOCK = 16_384


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The k players of a period, k at most n.

    who      int64, length k: their positions in the `Ratings`, rising
    players  int64, shape (2, m): places in `who` of the first and of the second player of each game
    played   int64, length n: the games of everybody, 0 of those who are not in `who`
    """

    who: Ints
    players: Ints
    played: Ints

    @classmethod
    def of(cls, duels: Duels, n: int) -> "Field":
        """Raises ValueError when a game names a player beyond the n that are rated."""
        duels.check_players(n)
        everybody = np.concatenate((duels.first, duels.second))
        played = np.bincount(everybody, minlength=n)
        who = np.flatnonzero(played > 0)
        place = np.empty(n, dtype=np.int64)
        place[who] = np.arange(len(who))
        return cls(who, place.take(everybody).reshape(2, len(duels)), played)

    def sum(self, sides: NDArray[Any]) -> Floats:
        """Add up, for each of the k players, what stands on his side of his games: (2, m) to (k)."""
        # In the order of the games: the same bits on every machine.
        everybody = self.players.ravel()
        return np.bincount(everybody, sides.ravel(), len(self.who)).astype(np.float64, copy=False)

    def count_against(self, is_opponent: Bools) -> Ints:
        """How many games each of the k players played against those for whom this is True."""
        return self.sum(is_opponent.take(self.players[::-1])).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the games say of each of k players.

    information  Σ g²E(1 - E), 0 or above: how much the games say of the player; 1/v in Glicko-2
    surprise     Σ g(w - E): how much better the player did than expected
    """

    information: Floats
    surprise: Floats


def attenuation(deviation: Floats) -> Floats:
    """g(RD) = 1 / √(1 + 3q²RD²/π²), for arrays of any shape, deviations in points."""
    g = deviation * deviation
    g *= _SPREAD
    g += 1
    np.sqrt(g, out=g)
    return np.divide(1.0, g, out=g)


def renewed_variance(variance: Floats, information: Floats) -> Floats:
    """1 / (1/RD² + q² Σ g²E(1 - E)), points², written into `variance`."""
    growth = variance * information
    growth *= Q * Q
    growth += 1.0
    return np.divide(variance, growth, out=variance)


def gather_evidence(
    value: Floats,
    g: Floats,
    field: Field,
    score: Floats,
    lead: Floats | None,
    expected: Floats | None = None,
) -> Evidence:
    """Sum up the m games; `value` (points) and `g` are of the k players, before the period.

    `lead` (m): points by which the side played puts the first player ahead. What was expected of
    both sides is written into `expected` (2, m) where it is given: only explanations need it.
    """
    information, surprise = np.empty(field.players.shape), np.empty(field.players.shape)
    for start in range(0, len(score), _BLOCK):
        block = slice(start, start + _BLOCK)
        first, second = field.players[:, block]
        ahead = _ahead(value.take(first), value.take(second), None if lead is None else lead[block])
        other_g = np.empty((2, len(first)))
        # "clip" only spares a copy: these are places of the k players.
        g.take(second, out=other_g[0], mode="clip")
        g.take(first, out=other_g[1], mode="clip")
        odds = raise_two(other_g * ahead)
        odds += 1.0
        if expected is not None:
            np.divide(1.0, odds, out=expected[:, block])
        _weigh(odds, other_g, score[block], information[:, block], surprise[:, block])
    if expected is not None:
        np.subtract(1.0, expected[1], out=expected[1])
    return Evidence(field.sum(information), field.sum(surprise))


def _ahead(first: Floats, second: Floats, lead: Floats | None) -> Floats:
    """How far the first players are ahead, as the exponent of 2 in the odds; `first` is used up."""
    with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
        first -= second
        if lead is not None:
            first += lead
        first *= 1 / 400
    return to_doublings(first, out=first)


def _weigh(
    odds: Floats, other_g: Floats, score: Floats, information: Floats, surprise: Floats
) -> None:
    """Write g²E(1 - E) and g(w - E) of both sides of each game.

    Both rows of `odds` are 1/E of the first player, each with the g of the opponent its player met.
    With E and w of the second player 1 less those of the first, both rows differ in a sign.
    """
    certain = np.divide(other_g, odds, out=odds)
    np.subtract(other_g, certain, out=information)
    information *= certain
    other_g *= score
    np.subtract(other_g[0], certain[0], out=surprise[0])
    np.subtract(certain[1], other_g[1], out=surprise[1])
