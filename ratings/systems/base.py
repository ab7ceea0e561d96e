"""What the rating systems have in common, whatever they compute."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, log10
from typing import ClassVar, Protocol

from ratings.systems.arrays import Floats
from ratings.systems.changes import Changes
from ratings.systems.contests import Contests
from ratings.systems.parameters import Value
from ratings.systems.protocol import Results
from ratings.systems.refusing import refuse_teams
from ratings.systems.state import Ratings

__all__ = ["BaseSystem", "Settings"]


# What says by about how many points ratings differ: every system has one of these, the first that it has counts.
_SPREADS = ("deviation_start", "class_interval", "beta", "spread", "scale")


class Settings(Protocol):
    """The parameters of a system."""

    def as_dict(self) -> dict[str, Value]:
        """Every parameter by name."""


@dataclass(frozen=True, slots=True)
class BaseSystem(ABC):
    """A `System` for rating at once or by period; unless it says otherwise of duels, without a deviation."""

    settings: Settings

    name: ClassVar[str]
    is_period: ClassVar[bool] = False
    uses_deviation: ClassVar[bool] = False
    takes_teams: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ()
    grows_in_play: ClassVar[bool] = False

    @property
    def places(self) -> int:
        """Two digits of what ratings are spread by: 25 ± 8.3, and 1500 ± 350."""
        parameters = self.parameters
        spread = next(float(parameters[name]) for name in _SPREADS if name in parameters)
        return max(0, 1 - floor(log10(spread)))

    @property
    def parameters(self) -> Mapping[str, Value]:
        return self.settings.as_dict()

    def rate_event(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        return self.rate_event_explained(ratings, results, all_count=all_count)[0]

    @abstractmethod
    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        """One period, and why each rating changed."""

    def expected_of(self, ratings: Ratings, contests: Contests) -> Floats:
        refuse_teams(self.name)
