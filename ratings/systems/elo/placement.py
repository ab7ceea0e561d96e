"""First ratings of new players: the performance they showed over their placement games (Elo 1978)."""

from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from ratings.systems.arrays import Bools, Floats, Ints, Statuses
from ratings.systems.changes import Changes, Sides
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.state import Status

__all__ = ["Met", "Placed", "place_newcomers"]

_MOST = np.finfo(np.float64).max
_SURPRISE = 1e-9  # less than this is too little to divide by


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Who was placed in an event, and by which games.

    players       int64, positions of those placed
    value         float64, their first ratings
    is_row        bool per row of the event, whether its player was placed
    contribution  float64 of those rows: points the game moved its player, 0 against new players
    """

    players: Ints
    value: Floats
    is_row: Bools
    contribution: Floats

    def explain(self, changes: Changes) -> Changes:
        """The changes of the event with what really moved those placed."""
        contribution, weight = changes.contribution.copy(), changes.weight.copy()
        contribution[self.is_row] = self.contribution
        surprise = (changes.actual - changes.expected)[self.is_row]
        is_known = np.abs(surprise) > _SURPRISE
        with np.errstate(over="ignore"):  # cut to the largest number below
            ratio = self.contribution / np.where(is_known, surprise, 1.0)
        weight[self.is_row] = np.where(is_known, _cut(ratio), weight[self.is_row])
        return replace(changes, contribution=contribution, weight=weight)


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """Whom the rows of an event met, one entry a row.

    value     float64, the rating of the opponent; of several, the mean over the other teams of their means
    is_rated  bool, whether none of them was new
    """

    value: Floats
    is_rated: Bools


def place_newcomers(
    parameters: EloParameters, value: Floats, status: Statuses, sides: Sides, met: Met
) -> Placed | None:
    """Place every new player with at least `placement_games` games against rated players.

    r_p = r_c + D(W/n) over those n games. D is infinite where all were won or all lost: the score
    is taken for half a point short of it, or half a point. None where nobody is placed.
    """
    is_new = status[sides.player] == Status.NEW
    rows = np.flatnonzero(is_new & met.is_rated)
    player, size = sides.player[rows], len(value)
    games = np.bincount(player, minlength=size)
    chosen = np.flatnonzero(games >= parameters.placement_games)
    if not parameters.placement_games or not chosen.size:
        return None
    share = met.value[rows] / games[player]
    mean = _cut(_sums(player, share, size))
    score = _sums(player, sides.actual[rows], size)
    # D(p) by decimal arithmetic: the same bits everywhere.
    played = games[chosen]
    shares, where = np.unique(
        np.clip(score[chosen], 0.5, played - 0.5) / played, return_inverse=True
    )
    odds = (Decimal(one) / (1 - Decimal(one)) for one in shares.tolist())
    decades = np.array([float(ratio.log10()) for ratio in odds])
    first, moved = value.copy(), np.zeros(len(is_new))
    with np.errstate(over="ignore"):  # cut to the largest number
        first[chosen] = _cut(mean[chosen] + 2 * parameters.class_interval * decades[where])
        gain = first / np.maximum(games, 1) - value / np.maximum(games, 1)
        moved[rows] = _cut(share - mean[player] / games[player] + gain[player])
    is_row = np.isin(sides.player, chosen)
    return Placed(chosen, first[chosen], is_row, moved[is_row])


def _sums(player: Ints, points: Floats, size: int) -> Floats:
    return np.bincount(player, weights=points, minlength=size).astype(np.float64)


def _cut(points: Floats) -> Floats:
    return np.clip(points, -_MOST, _MOST)
