"""One Elo game between two players with its stages, for arrays of games and for one.

Of two players of unequal status the less established one is computed first, and the other
against his new rating. Both versions do the same operations in the same order: equal to the bit.
"""

from collections.abc import Callable

import numpy as np

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.weights import k_of_statuses, rating_share_one, weights
from ratings.systems.logistic import logistic, logistic_one

__all__ = ["Played", "player_of_one", "rate_games"]

# Of first and of second each: rating before, expected score, K, rating after.
Played = tuple[float, float, float, float, float, float, float, float]


def rate_games(
    parameters: EloParameters, before: Floats, status: Statuses, score: Floats
) -> tuple[Floats, Floats, Floats]:
    """Rate games that share no player: (expected, K, after), each of shape (2, m).

    `before` and `status` are of shape (2, m), `score` of the first players of length m.
    """
    decades = 1 / (2 * parameters.class_interval)
    k = weights(parameters, before, status, status[::-1])
    first = logistic((before[0] - before[1]) * decades)
    expected = np.stack((first, 1.0 - first))
    after = before + k * (np.stack((score, 1.0 - score)) - expected)
    if (staged := np.flatnonzero(status[0] != status[1])).size:
        late = (status[0, staged] < status[1, staged]).astype(np.int64)
        own = before[late, staged]
        again = logistic((own - after[1 - late, staged]) * decades)
        actual = np.where(late == 0, score[staged], 1.0 - score[staged])
        expected[late, staged] = again
        after[late, staged] = own + k[late, staged] * (actual - again)
    return expected, k, after


def player_of_one(
    parameters: EloParameters,
) -> Callable[[float, float, int, int, float], Played]:
    """A function that rates one game: (ratings, statuses, score of the first) → `Played`."""
    decades = 1 / (2 * parameters.class_interval)
    k_by_status = k_of_statuses(parameters)
    is_plain = parameters.k_by_rating == "none"

    def play(first: float, second: float, status: int, other: int, score: float) -> Played:
        k, k_other = k_by_status[3 * status + other], k_by_status[3 * other + status]
        if not is_plain:
            k *= rating_share_one(parameters, first)
            k_other *= rating_share_one(parameters, second)
        e = logistic_one((first - second) * decades)
        e_other = 1.0 - e
        after = first + k * (score - e)
        after_other = second + k_other * ((1.0 - score) - e_other)
        if status < other:
            e_other = logistic_one((second - after) * decades)
            after_other = second + k_other * ((1.0 - score) - e_other)
        elif other < status:
            e = logistic_one((first - after_other) * decades)
            after = first + k * (score - e)
        return first, second, e, e_other, k, k_other, after, after_other

    return play
