"""Counting: games played, games that count, time passed, and how deviations grow in it.

While a player rests a deviation grows by the same variance in each period: σ² + growth² t.
"""

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Ints, Statuses
from ratings.systems.results import Duels
from ratings.systems.state import Ratings, Status
from ratings.systems.team_pairs import ContestTeams

__all__ = [
    "count_contests",
    "count_games",
    "elapsed",
    "games_played",
    "longest_growth",
    "periods_of_growth",
]


def games_played(duels: Duels, n: int) -> Ints:
    """How many of the games each of n players played: int64, length n."""
    games: Ints = np.bincount(duels.first, minlength=n) + np.bincount(duels.second, minlength=n)
    return games


def count_games(
    ratings: Ratings, duels: Duels, status: Statuses, *, all_count: bool
) -> tuple[Ints, Ints]:
    """`games` and `counted` after one event, from the statuses before it.

    A game counts when the opponent is established; with `all_count` every game does.
    """
    n = len(ratings)
    played = games_played(duels, n)
    if all_count:
        return ratings.games + played, ratings.counted + played
    first = duels.first[status[duels.second] == Status.ESTABLISHED]
    second = duels.second[status[duels.first] == Status.ESTABLISHED]
    counting = np.bincount(first, minlength=n) + np.bincount(second, minlength=n)
    return ratings.games + played, ratings.counted + counting


def count_contests(
    ratings: Ratings, teams: ContestTeams, status: Statuses, *, all_count: bool
) -> tuple[Ints, Ints]:
    """`count_games` of contests: each is one game, which counts when somebody established was on another team."""
    n, player = len(ratings), teams.player
    played = np.bincount(player, minlength=n)
    if all_count:
        return ratings.games + played, ratings.counted + played
    counting = np.bincount(player[teams.faces(status[player] == Status.ESTABLISHED)], minlength=n)
    return ratings.games + played, ratings.counted + counting


def elapsed(periods: ArrayLike, n: int) -> Floats:
    """Periods as one number for each of n players; ValueError when negative or not finite."""
    time = np.asarray(periods, dtype=np.float64)
    if not (np.isfinite(time) & (time >= 0)).all():
        raise ValueError(f"periods = {periods!r}: must be finite and not negative")
    return np.broadcast_to(time, (n,))


def longest_growth(growth: float, highest: float) -> float:
    """Periods in which a deviation grows from 0 to `highest`: longer is no different, and may overflow."""
    return (highest / growth) * (highest / growth) if growth else 0.0


def periods_of_growth(
    deviation: ArrayLike, threshold: float, *, growth: float, highest: float
) -> Floats:
    """t = (threshold² - σ²) / growth², 0 or above; inf beyond `highest` or where growth is 0."""
    now = np.asarray(deviation, dtype=np.float64)
    missing = (threshold - now) * (threshold + now)
    reachable = growth > 0 and threshold <= highest
    growing = missing / (growth * growth) if reachable else np.full(now.shape, np.inf)
    return np.where(missing <= 0, 0.0, growing)
