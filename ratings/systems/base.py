"""What the rating systems have in common, whatever they compute, and what they say of results that they cannot rate."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, inf, log10
from typing import ClassVar, NoReturn, Protocol

from ratings.systems.arrays import Floats
from ratings.systems.changes import Changes
from ratings.systems.contests import Contests
from ratings.systems.declaration import Declaration
from ratings.systems.parameters import Value
from ratings.systems.protocol import Results
from ratings.systems.results import Duels
from ratings.systems.state import Ratings

__all__ = ["BaseSystem", "Settings", "only_duels"]

# Points on which ratings of about 3000 points lie.
_USUAL_SCALE = 256.0


class Settings(Protocol):
    """The parameters of a system."""

    def as_dict(self) -> dict[str, Value]:
        """Every parameter by name."""


@dataclass(frozen=True, slots=True)
class BaseSystem(ABC):
    """A `System` for rating at once or by period; unless it says otherwise of duels, without a deviation."""

    settings: Settings

    declaration: ClassVar[Declaration]

    @property
    def name(self) -> str:
        return self.declaration.name

    @property
    def is_period(self) -> bool:
        return self.declaration.is_period

    @property
    def uses_deviation(self) -> bool:
        return self.declaration.uses_deviation

    @property
    def takes_teams(self) -> bool:
        return self.declaration.takes_teams

    @property
    def needs(self) -> tuple[str, ...]:
        return self.declaration.needs

    @property
    def grows_in_play(self) -> bool:
        return self.declaration.grows_in_play

    @property
    def decimals(self) -> int:
        """Two digits of what ratings are spread by: 25 ± 8.3, and 1500 ± 350."""
        spread = float(self.parameters[self.declaration.spread_parameter])
        return max(0, 1 - floor(log10(spread)))

    @property
    def scale(self) -> float:
        name = self.declaration.scale_parameter
        return float(self.parameters[name]) if name else _USUAL_SCALE

    @property
    def provisional_above(self) -> float:
        return float(self.parameters["provisional_deviation"]) if self.uses_deviation else inf

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
