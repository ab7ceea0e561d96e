"""Many duels at once: one period of the shooter ladder."""

import numpy as np

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.changes import Changes, Sides
from ratings.systems.frags.parameters import FragsParameters
from ratings.systems.logistic import logistic
from ratings.systems.results import Duels

__all__ = ["rate_at_once"]


def rate_at_once(
    parameters: FragsParameters, value: Floats, status: Statuses, duels: Duels
) -> Changes:
    """Rate duels whose score is the strength of play; `value` and `status` are those before.

    g' = max(0, g + K Σ (e - w)). Where the floor keeps some of the losses, each loss shrinks alike.
    """
    sides = Sides.of(duels)
    before = value[sides.player]
    with np.errstate(over="ignore"):  # an infinite difference is sure to win
        ahead = before - value[sides.opponent]
    expected = logistic(ahead * (1 / parameters.scale))
    points = parameters.k * (sides.actual - expected)
    won, lost = (
        np.bincount(sides.player, weights=part, minlength=len(value)).astype(float)
        for part in (np.maximum(points, 0.0), np.maximum(-points, 0.0))
    )
    kept = _share_kept(value + won, lost)
    after = np.maximum(value + won - lost, 0.0)
    weight = parameters.k * np.where(points < 0, kept[sides.player], 1.0)
    return sides.explain(expected, weight, before, after[sides.player], status[sides.player])


def _share_kept(most: Floats, lost: Floats) -> Floats:
    """The share of each player's losses that the floor leaves to be taken."""
    is_cut = lost > most
    return np.where(is_cut, most, 1.0) / np.where(is_cut, lost, 1.0)
