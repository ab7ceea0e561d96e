"""Strength of play: the share of a duel's frags that one player made."""

import numpy as np

from ratings.systems.arrays import Floats

__all__ = ["strength_of_play"]


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
