"""All ways of splitting the tickets of a match into teams, by the sizes of its parties.

Where there are too many to try all, tickets of the same size change teams while that makes them more even.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ratings.systems.arrays import Floats, Ints

__all__ = ["Splits", "imparity", "splits_of", "swap"]

# Nine against nine players who came alone have 24,310.
MOST_SPLITS = 25_000
_MOST_SWAPS = 500
_LEAST_GAIN = 1e-6
_MOST_PAIRS = 100_000  # of tickets looked at in a match; of more, those of two teams only


def imparity(sizes: Ints, team: Ints, count: int, size: int) -> Floats:
    """How unlike the parties of the teams are: 0 where all have the same sizes, 1 at most.

    sizes  int64 (g,), players of each ticket
    team   int64 (S, g), its team in each split

    Of two teams the share of players whose party has no counterpart in the other team. Of more,
    the players of each size of party, the most of a team less the fewest, summed and halved.
    """
    unlike = np.zeros(len(team))
    for party in np.unique(sizes):
        players = party * _count(team[:, sizes == party], count)
        unlike += players.max(axis=1) - players.min(axis=1)
    share: Floats = np.minimum(unlike / (2 * size), 1.0)
    return share


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Splits:
    """S ways of splitting g tickets into k teams, teams without numbers: no two are the same.

    team      int64 (S, g), the team of each ticket; of teams the one of an earlier ticket is lower
    imparity  float64 (S,), 0..1: how far the teams are from having parties of the same sizes
    """

    team: Ints
    imparity: Floats

    def __len__(self) -> int:
        return len(self.team)


@lru_cache(maxsize=64)
def splits_of(sizes: tuple[int, ...], count: int, size: int) -> Splits | None:
    """Every split of parties of these sizes into `count` teams of `size`; None: too many to look at.

    In lexical order. Of 10 who came alone into two teams: 126. Shared: not to be written into.
    """
    team = np.zeros((1, 0), dtype=np.int64)
    free, begun = np.full((1, count), size), np.zeros((1, 1), dtype=np.int64)
    for party in sizes:
        row, to = np.nonzero((free >= party) & (np.arange(count) <= begun))
        if len(row) > 2 * MOST_SPLITS:
            return None
        team, free = np.column_stack((team[row], to)), free[row]
        free[np.arange(len(row)), to] -= party
        begun = np.maximum(begun[row], to[:, np.newaxis] + 1)
    if len(team) > MOST_SPLITS:
        return None
    return Splits(team=team, imparity=imparity(np.array(sizes), team, count, size))


def _count(team: Ints, count: int) -> NDArray[np.int64]:
    """(S, k): how many of the columns each team has."""
    rows = np.arange(len(team))[:, np.newaxis] * count
    counted = np.bincount((team + rows).ravel(), minlength=len(team) * count)
    return counted.reshape(len(team), count)


def swap(
    points: Floats,
    sizes: Ints,
    team: Ints,
    allows: Callable[[Ints], bool] | None = None,
    *,
    apart: float = 0.0,
) -> Ints:
    """The teams after all exchanges of two tickets that bring the strongest and the weakest nearer.

    points, sizes  of each ticket: rating points it adds to its team, its players
    team           int64, of each ticket
    allows         whether teams are possible; None: all are
    apart          rating points between two totals that count as even

    Ends when no exchange between the strongest and any other team, or the weakest and any other,
    brings the spread of the totals nearer to `apart`; a local best.
    """
    team = team.copy()
    for _ in range(_MOST_SWAPS):
        if not _swap_once(points, sizes, team, allows, apart):
            break
    return team


def _swap_once(
    points: Floats, sizes: Ints, team: Ints, allows: Callable[[Ints], bool] | None, apart: float
) -> bool:
    totals = np.bincount(team, weights=points).astype(np.float64)
    one, other = _exchanges(totals, sizes, team)
    after = np.abs(_spread_after(totals, points, team, one, other) - apart)
    better = np.flatnonzero(after < abs(np.ptp(totals) - apart) - _LEAST_GAIN)
    for best in better[np.argsort(after[better], kind="stable")]:
        first, second = one[best], other[best]
        team[first], team[second] = team[second], team[first]
        if allows is None or allows(team):
            return True
        team[first], team[second] = team[second], team[first]
    return False


def _exchanges(totals: Floats, sizes: Ints, team: Ints) -> tuple[Ints, Ints]:
    """Tickets of the strongest or the weakest team, each with those of its size in other teams."""
    strongest, weakest = int(totals.argmax()), int(totals.argmin())
    extreme = np.flatnonzero((team == strongest) | (team == weakest))
    others = np.arange(len(team))
    if extreme.size * others.size > _MOST_PAIRS:
        extreme, others = np.flatnonzero(team == strongest), np.flatnonzero(team == weakest)
    fits = team[extreme][:, np.newaxis] != team[others]
    fits &= sizes[extreme][:, np.newaxis] == sizes[others]
    one, other = np.nonzero(fits)
    return extreme[one], others[other]


def _spread_after(totals: Floats, points: Floats, team: Ints, one: Ints, other: Ints) -> Floats:
    """Of each exchange: how far apart the strongest and the weakest team would be."""
    gain = points[other] - points[one]
    first, second = totals[team[one]] + gain, totals[team[other]] - gain
    high, low = _without(totals, team[one], team[other]), -_without(-totals, team[one], team[other])
    spread: Floats = np.maximum(np.maximum(first, second), high) - np.minimum(
        np.minimum(first, second), low
    )
    return spread


def _without(totals: Floats, one: Ints, other: Ints) -> Floats:
    """The largest total of those that are neither of the team `one` nor of the team `other`."""
    best = np.argsort(-totals, kind="stable")[:3]
    largest = np.full(len(one), -np.inf)
    for team in best[::-1]:
        is_third = (one != team) & (other != team)
        largest[is_third] = totals[team]
    return largest
