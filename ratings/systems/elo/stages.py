"""One Elo event with many simultaneous games, computed stage by stage."""

import numpy as np

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.changes import Changes, Sides, interleave
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.placement import Met, place_newcomers
from ratings.systems.elo.weights import weights
from ratings.systems.results import Duels
from ratings.systems.state import Status

__all__ = ["rate_in_stages"]


def rate_in_stages(
    parameters: EloParameters, value: Floats, status: Statuses, duels: Duels
) -> Changes:
    """Rate one event: new players first, then provisional, then established ones.

    Each stage uses the others' ratings as they stand after the stages before it; a stage is
    committed together. `value` and `status` (length n) are those before the event; the new
    values are `value_after` of the rows returned. New players with enough placement games, if an
    operator asks for any, take their performance instead.
    """
    sides, curve = Sides.of(duels), parameters.curve
    # Who plays the better side, seen from each row.
    side = None if duels.side is None else interleave(duels.side, -duels.side)
    own = status[sides.player]
    k = weights(parameters, value[sides.player], own, status[sides.opponent])
    expected = np.empty(len(sides.player))
    met = Met(value[sides.opponent], status[sides.opponent] != Status.NEW)
    after, placed = value.copy(), place_newcomers(parameters, value, status, sides, met)
    for stage in Status:
        rows = np.flatnonzero(own == stage)
        if rows.size:
            player, opponent = sides.player[rows], sides.opponent[rows]
            with np.errstate(over="ignore"):  # an infinite difference is sure to win
                ahead = value[player] - after[opponent]
                expected[rows] = curve.expect(ahead, None if side is None else side[rows])
            points = k[rows] * (sides.actual[rows] - expected[rows])
            # `bincount` adds up in the order of the rows, whatever the machine.
            after += np.bincount(player, weights=points, minlength=len(value))
            after[player] = np.maximum(after[player], parameters.floor)
        if stage == Status.NEW and placed is not None:
            after[placed.players] = np.maximum(placed.value, parameters.floor)
    changes = sides.explain(expected, k, value[sides.player], after[sides.player], own)
    return changes if placed is None else placed.explain(changes)
