"""What systems have in common whose rating is a number of points alone, without a deviation."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.base import BaseSystem, Settings
from ratings.systems.counting import elapsed
from ratings.systems.state import Ratings, status_by_games

__all__ = ["PointsSystem", "points_ahead"]


class PointsParameters(Settings, Protocol):
    """What the parameters of each such system hold."""

    @property
    def start(self) -> float:
        """The rating of new players."""

    @property
    def established_after(self) -> int:
        """Counted games after which a player is established."""


@dataclass(frozen=True, slots=True)
class PointsSystem(BaseSystem):
    """A `BaseSystem` that is untouched by time unless it says otherwise."""

    settings: PointsParameters

    def initial(self, n: int) -> Ratings:
        nothing = np.zeros(n, dtype=np.int64)
        return Ratings(np.full(n, self.settings.start), None, None, nothing, nothing.copy())

    def age(self, ratings: Ratings, periods: ArrayLike) -> Ratings:
        """Unchanged: there is nothing that time moves."""
        elapsed(periods, len(ratings))
        return ratings.copy()

    def status(self, ratings: Ratings) -> Statuses:
        return status_by_games(ratings.games, ratings.counted, self.settings.established_after)

    def periods_until(
        self, deviation: ArrayLike, threshold: float, volatility: ArrayLike | None = None
    ) -> Floats:
        """Never: there is no deviation that could grow."""
        return np.full(np.shape(deviation), np.inf)


def points_ahead(value: Floats, first: ArrayLike, second: ArrayLike) -> Floats:
    """How many points each of `first` (positions) is above the one of `second`."""
    with np.errstate(over="ignore"):  # an infinite difference is sure to win
        ahead: Floats = value[np.asarray(first)] - value[np.asarray(second)]
    return ahead
