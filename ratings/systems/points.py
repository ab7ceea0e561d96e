"""What systems have in common whose rating is a number of points alone, without a deviation."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.changes import Changes
from ratings.systems.contests import Contests
from ratings.systems.counting import elapsed
from ratings.systems.parameters import Value
from ratings.systems.protocol import Results
from ratings.systems.refusing import refuse_teams
from ratings.systems.state import Ratings
from ratings.systems.status import status_by_games

__all__ = ["PointsSystem", "points_ahead"]


class PointsParameters(Protocol):
    """What the parameters of each such system hold."""

    @property
    def start(self) -> float:
        """The rating of new players."""

    @property
    def established_after(self) -> int:
        """Counted games after which a player is established."""

    def as_dict(self) -> dict[str, Value]:
        """Every parameter by name."""


@dataclass(frozen=True, slots=True)
class PointsSystem(ABC):
    """A `System` for rating at once or by period; unless it says otherwise of duels, and untouched by time."""

    settings: PointsParameters

    name: ClassVar[str]
    is_period: ClassVar[bool] = False
    uses_deviation: ClassVar[bool] = False
    takes_teams: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ()
    places: ClassVar[int] = 0
    grows_in_play: ClassVar[bool] = False

    @property
    def parameters(self) -> Mapping[str, Value]:
        return self.settings.as_dict()

    def initial(self, n: int) -> Ratings:
        nothing = np.zeros(n, dtype=np.int64)
        return Ratings(np.full(n, self.settings.start), None, None, nothing, nothing.copy())

    def age(self, ratings: Ratings, periods: ArrayLike) -> Ratings:
        """Unchanged: there is nothing that time moves."""
        elapsed(periods, len(ratings))
        return ratings.copy()

    def rate_event(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        return self.rate_event_explained(ratings, results, all_count=all_count)[0]

    @abstractmethod
    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        """One period, and why each rating changed."""

    def expected_of(self, ratings: Ratings, contests: Contests) -> Floats:
        refuse_teams(self.name)

    def status(self, ratings: Ratings) -> Statuses:
        return status_by_games(ratings.games, ratings.counted, self.settings.established_after)

    def periods_until(
        self, deviation: ArrayLike, threshold: float, volatility: ArrayLike | None = None
    ) -> Floats:
        """Never: there is no deviation that could grow."""
        return np.full(np.shape(deviation), np.inf)


def points_ahead(value: Floats, first: ArrayLike, second: ArrayLike) -> Floats:
    """How many points each of `first` (positions) is above the one of `second`."""
    with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
        ahead: Floats = value[np.asarray(first)] - value[np.asarray(second)]
    return ahead
