"""How many matches an estimate rests on: means over the last 1, 3 or 10 of each player.

A mean of ten matches is surer than one match, so each number has a model of its own: learned from, and judged on,
means of as many matches. Players are learned from by their last matches, as it is these that an estimate reads.
"""

import numpy as np

from ratings.systems.arrays import Floats, Ints

__all__ = ["WINDOWS", "means_of_last", "window_for"]

WINDOWS = (1, 3, 10)


def window_for(matches: int) -> int | None:
    """The largest of `WINDOWS` that so many matches fill; None of none."""
    return max((window for window in WINDOWS if window <= matches), default=None)


def means_of_last(
    player: Ints, values: Floats, *, players: int, matches: int
) -> tuple[Floats, Ints]:
    """Means of the last rows of each player.

    player   int64 (r): 0..players-1; a player's rows stand in the order of its matches
    values   float64 (r, f): features; NaN where a match does not tell one
    matches  how many of the last rows of each player count

    Returns float64 (players, f), NaN where none of these rows tells the feature, and int64 (players): how many rows
    counted.
    """
    order = np.argsort(player, kind="stable")
    sizes = np.bincount(player, minlength=players)
    stops = np.cumsum(sizes)
    # How many rows of the same player come after.
    after = stops[player[order]] - 1 - np.arange(len(order))
    kept = order[after < matches]
    who, told = player[kept], values[kept]
    known = ~np.isnan(told)
    total, number = np.zeros((players, values.shape[1])), np.zeros((players, values.shape[1]))
    np.add.at(total, who, np.where(known, told, 0.0))
    np.add.at(number, who, known)
    means = np.where(number > 0, total / np.maximum(number, 1), np.nan)
    return means, np.minimum(sizes, matches)
