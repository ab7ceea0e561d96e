"""One Elo game between two players with its stages, for arrays of games and for one.

Of two players of unequal status the less established one is computed first, and the other
against his new rating. Both versions do the same operations in the same order: equal to the bit.
"""

from collections.abc import Iterable

import numpy as np

from ratings.systems.arrays import Floats, Ints, Statuses
from ratings.systems.elo.curve import Curve
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.weights import weight_of_one, weights

__all__ = ["Played", "play_in_order", "rate_games"]

# Of first and of second each: rating before, expected score, K, rating after, status before.
Played = tuple[float, float, float, float, float, float, float, float, int, int]


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
        _rate_late(curve, status, (before, expected, actual, k, after), staged, side)
    return expected, k, after


def _rate_late(
    curve: Curve,
    status: Statuses,
    figures: tuple[Floats, Floats, Floats, Floats, Floats],
    staged: Ints,
    side: Floats | None,
) -> None:
    """Rate the more established players of the games `staged` against the others' new ratings."""
    before, expected, actual, k, after = (figure.reshape(-1) for figure in figures)
    games = status.shape[1]
    is_second = status[0].take(staged) < status[1].take(staged)
    late = staged + is_second * games
    own = before.take(late)
    turned = None
    if side is not None:
        turned = np.where(is_second, -side.take(staged), side.take(staged))
    again = curve.expect(own - after.take(2 * staged + games - late), turned)
    expected[late] = again
    after[late] = own + k.take(late) * (actual.take(late) - again)


def play_in_order(
    parameters: EloParameters,
    running: tuple[list[float], list[int]],
    games: Iterable[tuple[int, int, float, float]],
    *,
    all_count: bool,
    log: list[Played] | None,
) -> None:
    """Play games (players, score and side of the first) in plain Python.

    Writes into the lists `running`, the players' values and progress, and `log`.
    """
    value, progress = running
    expect, k_of = parameters.curve.for_one(), weight_of_one(parameters)
    needed = parameters.established_after
    for a, b, score, side in games:
        first, second, own, other = value[a], value[b], progress[a], progress[b]
        status, rival = (own >= 0) + (own >= needed), (other >= 0) + (other >= needed)
        k, k_other = k_of(status, rival, first), k_of(rival, status, second)
        e = expect(first - second, side)
        e_other = 1.0 - e
        after = first + k * (score - e)
        after_other = second + k_other * ((1.0 - score) - e_other)
        if status < rival:
            e_other = expect(second - after, -side)
            after_other = second + k_other * ((1.0 - score) - e_other)
        elif rival < status:
            e = expect(first - after_other, side)
            after = first + k * (score - e)
        value[a], value[b] = after, after_other
        progress[a] = (own if status else ~own) + (all_count or rival == 2)
        progress[b] = (other if rival else ~other) + (all_count or status == 2)
        if log is not None:
            log.append((first, second, e, e_other, k, k_other, after, after_other, status, rival))
