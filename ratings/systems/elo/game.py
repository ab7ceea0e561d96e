"""One Elo game between two players with its stages, for arrays of games and for one.

Of two players of unequal status the less established one is computed first, and the other
against his new rating. Both versions do the same operations in the same order: equal to the bit.
"""

from collections.abc import Callable

import numpy as np

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.elo.curve import Curve
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.weights import k_of_statuses, rating_share_one, weights

__all__ = ["Played", "player_of_one", "rate_games"]

# Of first and of second each: rating before, expected score, K, rating after.
Played = tuple[float, float, float, float, float, float, float, float]


def rate_games(
    parameters: EloParameters,
    curve: Curve,
    before: Floats,
    status: Statuses,
    score: Floats,
    side: Floats | None = None,
) -> tuple[Floats, Floats, Floats]:
    """Rate games that share no player: (expected, K, after), each of shape (2, m).

    `curve` is that of the parameters; `before` and `status` are of shape (2, m), `score` and `side`
    of the first players of length m.
    """
    k = weights(parameters, before, status, status[::-1])
    expected, actual = np.empty_like(before), np.empty_like(before)
    expected[0] = curve.expect(before[0] - before[1], side)
    actual[0] = score
    np.subtract(1.0, expected[0], out=expected[1])
    np.subtract(1.0, score, out=actual[1])
    after = actual - expected
    after *= k
    after += before
    if (staged := np.flatnonzero(status[0] != status[1])).size:
        late = (status[0, staged] < status[1, staged]).astype(np.int64)
        own = before[late, staged]
        turned = None if side is None else np.where(late == 0, side[staged], -side[staged])
        again = curve.expect(own - after[1 - late, staged], turned)
        expected[late, staged] = again
        after[late, staged] = own + k[late, staged] * (actual[late, staged] - again)
    return expected, k, after


def player_of_one(
    parameters: EloParameters,
) -> Callable[[float, float, int, int, float, float], Played]:
    """A function that rates one game: (ratings, statuses, score and side of the first) → `Played`."""
    expect = parameters.curve.expect_one
    k_by_status = k_of_statuses(parameters)
    is_plain = parameters.k_by_rating == "none"

    def play(
        first: float, second: float, status: int, other: int, score: float, side: float
    ) -> Played:
        k, k_other = k_by_status[3 * status + other], k_by_status[3 * other + status]
        if not is_plain:
            k *= rating_share_one(parameters, first)
            k_other *= rating_share_one(parameters, second)
        e = expect(first - second, side)
        e_other = 1.0 - e
        after = first + k * (score - e)
        after_other = second + k_other * ((1.0 - score) - e_other)
        if status < other:
            e_other = expect(second - after, -side)
            after_other = second + k_other * ((1.0 - score) - e_other)
        elif other < status:
            e = expect(first - after_other, side)
            after = first + k * (score - e)
        return first, second, e, e_other, k, k_other, after, after_other

    return play
