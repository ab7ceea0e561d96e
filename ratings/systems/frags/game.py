"""One duel, for arrays of duels and for one: the same operations, equal to the bit."""

from collections.abc import Callable

import numpy as np

from ratings.systems.arrays import Floats
from ratings.systems.frags.parameters import FragsParameters
from ratings.systems.logistic import logistic, logistic_one

__all__ = ["player_of_one", "rate_games", "strength_of_play"]

# Of first and of second each: rating before, expected share, weight, rating after.
Played = tuple[float, float, float, float, float, float, float, float]


def rate_games(parameters: FragsParameters, before: Floats, strength: Floats) -> Floats:
    """Duels that share no player: float64 of shape (4, 2, m), as `Played` names them.

    g' = max(0, g + K (e - w)), w = 1 / (1 + 10^((g_j - g_i) / scale)); `before` is of shape
    (2, m), `strength` of the first players of length m. The weight is K; where the floor kept
    some of a loss it is what the loss left of K.
    """
    with np.errstate(over="ignore"):  # an infinite difference is sure to win
        first = logistic((before[0] - before[1]) * (1 / parameters.scale))
    expected = np.stack((first, 1.0 - first))
    surprise = np.stack((strength, 1.0 - strength)) - expected
    sought = before + parameters.k * surprise
    is_cut = sought < 0
    kept = np.where(is_cut, before, 0.0) / np.where(is_cut, -surprise, 1.0)
    return np.stack(
        (before, expected, np.where(is_cut, kept, parameters.k), np.where(is_cut, 0.0, sought))
    )


def player_of_one(parameters: FragsParameters) -> Callable[[float, float, float], Played]:
    """A function that rates one duel: (ratings, strength of the first) → `Played`."""
    decades, k = 1 / parameters.scale, parameters.k

    def play(first: float, second: float, strength: float) -> Played:
        expected = logistic_one((first - second) * decades)
        other = 1.0 - expected
        surprise, surprise_other = strength - expected, (1.0 - strength) - other
        weight, weight_other = k, k
        after, after_other = first + k * surprise, second + k * surprise_other
        if after < 0:
            after, weight = 0.0, first / -surprise
        if after_other < 0:
            after_other, weight_other = 0.0, second / -surprise_other
        return first, second, expected, other, weight, weight_other, after, after_other

    return play


def strength_of_play(points: Floats) -> Floats:
    """e = a / (a + b) of the first player, 0.5 for 0:0: float64, length m; `points` is (m, 2).

    A negative count (suicides were subtracted) is subtracted from both: 6:-2 is 8:0, -3:-5 is 5:3.
    """
    quarter = points * 0.25  # an exact step that keeps every sum finite
    made, lost = np.maximum(quarter, 0.0), np.maximum(-quarter, 0.0)
    first, second = made[:, 0] + lost[:, 1], made[:, 1] + lost[:, 0]
    total = first + second
    is_played = total > 0
    return np.where(is_played, first, 0.5) / np.where(is_played, total, 1.0)
