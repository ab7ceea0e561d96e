"""What the rating systems have in common, whatever they compute, and what they say of results that they cannot rate."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, log10
from typing import ClassVar, NoReturn, Protocol

from ratings.systems.arrays import Floats
from ratings.systems.changes import Changes
from ratings.systems.contests import Contests
from ratings.systems.parameters import Value
from ratings.systems.protocol import Results
from ratings.systems.results import Duels
from ratings.systems.state import Ratings

__all__ = ["BaseSystem", "Settings", "only_duels"]

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


def only_duels(results: Duels | Contests, *, system: str) -> Duels:
    """The results, if they are games of one against one; TypeError if not."""
    if isinstance(results, Contests):
        refuse_teams(system)
    return results


def refuse_teams(system: str) -> NoReturn:
    """Raise TypeError: the system rates games of one against one."""
    raise TypeError(f"{system} rates one against one: give it Duels, not Contests")
