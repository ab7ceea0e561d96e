"""More even teams by exchanging tickets of the same size, where there are too many splits to try all."""

from collections.abc import Callable

import numpy as np

from ratings.systems.arrays import Floats, Ints

__all__ = ["swap"]

_MOST_SWAPS = 500
_LEAST_GAIN = 1e-6
_MOST_PAIRS = 100_000  # of tickets looked at in a match; of more, those of two teams only


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
