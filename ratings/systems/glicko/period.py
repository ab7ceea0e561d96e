"""One period of Glicko or Glicko-2 over arrays: who played, and what their games say of them.

Both systems learn the same two sums from a player's games, and only those who played are computed.
"""

import math
from dataclasses import dataclass

import numpy as np

from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.logistic import logistic
from ratings.systems.results import Duels

__all__ = ["Evidence", "Field", "Q", "attenuation", "gather_evidence"]

Q = 2.302585092994046 / 400  # ln 10, written out: libraries differ in the last bit
_SPREAD = 3 * Q * Q / (math.pi * math.pi)
# Games at a time, so that what is computed of them stays in the processor's cache.
_BLOCK = 16_384
# More games than anybody plays in a period.
_COUNTING = 1 << 26


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The k players of a period, k at most n.

    who      int64, length k: their positions in the `Ratings`, rising
    players  int64, shape (2, m): places in `who` of the first and of the second player of each game
    """

    who: Ints
    players: Ints

    @classmethod
    def of(cls, duels: Duels, n: int) -> "Field":
        """Raises ValueError when a game names a player beyond the n that are rated."""
        duels.check_players(n)
        present = np.zeros(n, dtype=np.bool_)
        present[duels.first] = present[duels.second] = True
        who = np.flatnonzero(present)
        place = np.empty(n, dtype=np.int64)
        place[who] = np.arange(len(who))
        players = np.empty((2, len(duels)), dtype=np.int64)
        # "clip" only spares a copy: `check_players` has seen to the range.
        place.take(duels.first, out=players[0], mode="clip")
        place.take(duels.second, out=players[1], mode="clip")
        return cls(who, players)

    def sum(self, sides: Floats) -> Floats:
        """Add up, for each of the k players, what stands on his side of his games: (2, m) to (k)."""
        # In the order of the games: the same bits on every machine.
        everybody = self.players.ravel()
        return np.bincount(everybody, sides.ravel(), len(self.who)).astype(np.float64, copy=False)

    def count(self, is_established: Bools, *, all_count: bool) -> tuple[Ints, Ints]:
        """Games of each of the k players, and those that count: against established opponents."""
        if all_count or not is_established.any():
            played = np.bincount(self.players.ravel(), minlength=len(self.who))
            return played, played if all_count else np.zeros_like(played)
        # One sum for both numbers: sums of whole numbers below 2^53 are exact.
        worth: Floats = np.where(is_established, 1.0 + _COUNTING, 1.0)
        against = np.empty(self.players.shape)
        worth.take(self.players[1], out=against[0], mode="clip")
        worth.take(self.players[0], out=against[1], mode="clip")
        both = self.sum(against).astype(np.int64)
        return both & (_COUNTING - 1), both // _COUNTING


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
    np.divide(1.0, variance, out=variance)
    variance += information * (Q * Q)
    return np.divide(1.0, variance, out=variance)


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
        pair = field.players[:, block]
        other_g = g.take(pair)[::-1]
        e = _expect(value.take(pair), other_g, None if lead is None else lead[block])
        if expected is not None:
            expected[:, block] = e
        _weigh(e, other_g, score[block], information[:, block], surprise[:, block])
    return Evidence(field.sum(information), field.sum(surprise))


def _expect(value: Floats, other_g: Floats, lead: Floats | None) -> Floats:
    """E of both sides, shape (2, m), each with the g of the opponent met."""
    with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
        ahead = value[0] - value[1]
        if lead is not None:
            ahead += lead
        ahead *= 1 / 400
        decades = other_g * ahead
        np.negative(decades[1], out=decades[1])
        return logistic(decades)


def _weigh(
    e: Floats, other_g: Floats, score: Floats, information: Floats, surprise: Floats
) -> None:
    """Write g²E(1 - E) and g(w - E) of both sides of each game."""
    certain = e * other_g
    np.subtract(other_g, certain, out=information)
    information *= certain
    np.multiply(other_g[0], score, out=surprise[0])
    np.multiply(other_g[1], 1.0 - score, out=surprise[1])
    surprise -= certain
