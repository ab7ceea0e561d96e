"""One Elo event with many simultaneous games, computed stage by stage."""

import numpy as np

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.changes import Changes, Sides
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.weights import weights
from ratings.systems.logistic import expected_score
from ratings.systems.results import Duels
from ratings.systems.status import Status

__all__ = ["rate_in_stages"]


def rate_in_stages(
    parameters: EloParameters, value: Floats, status: Statuses, duels: Duels
) -> Changes:
    """Rate one event: new players first, then provisional, then established ones.

    Each stage uses the others' ratings as they stand after the stages before it; a stage is
    committed together. `value` and `status` (length n) are those before the event; the new
    values are `value_after` of the rows returned.
    """
    sides = Sides.of(duels)
    own = status[sides.player]
    k = weights(parameters, value[sides.player], own, status[sides.opponent])
    expected = np.empty(len(sides.player))
    after = value.copy()
    for stage in Status:
        rows = np.flatnonzero(own == stage)
        if rows.size:
            player, opponent = sides.player[rows], sides.opponent[rows]
            expected[rows] = _expect(parameters, value[player], after[opponent])
            points = k[rows] * (sides.actual[rows] - expected[rows])
            _commit(after, player, points)
    return sides.explain(expected, k, value[sides.player], after[sides.player], own)


def _expect(parameters: EloParameters, own: Floats, other: Floats) -> Floats:
    with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
        return expected_score(own - other, class_interval=parameters.class_interval)


def _commit(value: Floats, player: np.ndarray, points: Floats) -> None:
    """Add up in the order of the rows: `bincount` does, whatever the machine."""
    played = np.unique(player)
    value[played] += np.bincount(player, weights=points, minlength=len(value))[played]
