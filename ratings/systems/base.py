"""What every rating system offers, and what they have in common, whatever they compute."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, inf, log10
from typing import ClassVar, NoReturn, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.changes import Changes, Sums
from ratings.systems.contests import Contests
from ratings.systems.declaration import Declaration
from ratings.systems.drift import Drift
from ratings.systems.parameters import Value
from ratings.systems.results import Duels
from ratings.systems.state import Ratings

__all__ = ["DrawsAndSideSystem", "PeriodSystem", "Results", "Settings", "System", "only_duels"]

Results: TypeAlias = Duels | Contests

# Points on which ratings of about 3000 points lie.
_USUAL_SCALE = 256.0


class Settings(Protocol):
    """The parameters of a system."""

    def as_dict(self) -> dict[str, Value]:
        """Every parameter by name."""


@dataclass(frozen=True, slots=True)
class System(ABC):
    """An immutable rating system. No method writes into its arguments, reads a clock or draws.

    A system that takes no teams raises TypeError for `Contests`, one that needs columns which the
    results do not have raises ValueError naming them.

    The same arguments give the same bits on every machine, and rating a stream of instant games
    in batches of any size gives the same bits as rating it at once.
    """

    settings: Settings

    # Everything about the system whatever its parameters; what follows is often asked for.
    declaration: ClassVar[Declaration]

    @property
    def name(self) -> str:
        """Its name in the registry."""
        return self.declaration.name

    @property
    def is_period(self) -> bool:
        """Whether it can be run by period only; the others can be run either way."""
        return self.declaration.is_period

    @property
    def uses_deviation(self) -> bool:
        """Whether its ratings carry a deviation."""
        return self.declaration.uses_deviation

    @property
    def takes_teams(self) -> bool:
        """Whether it rates `Contests` too, not `Duels` alone."""
        return self.declaration.takes_teams

    @property
    def needs(self) -> tuple[str, ...]:
        """Columns of the results that it cannot do without, of those that may be left out."""
        return self.declaration.needs

    @property
    def grows_in_play(self) -> bool:
        """Whether a rated period contains the growth of its own length: ratings are as at its end."""
        return self.declaration.grows_in_play

    @property
    def decimals(self) -> int:
        """Decimals in which its ratings are shown: two digits of what they are spread by, 25 ± 8.3 and 1500 ± 350."""
        spread = float(self.parameters[self.declaration.spread_parameter])
        return max(0, 1 - floor(log10(spread)))

    @property
    def scale(self) -> float:
        """Rating points that mean as much as 256 do where ratings span about 3000 points."""
        name = self.declaration.scale_parameter
        return float(self.parameters[name]) if name else _USUAL_SCALE

    @property
    def provisional_above(self) -> float:
        """The deviation above which a rating is provisional; infinite without deviations."""
        return float(self.parameters["provisional_deviation"]) if self.uses_deviation else inf

    @property
    def drift(self) -> Drift:
        """What time takes from every rating, or gives to it, on each date on which it is due."""
        declared, given = self.declaration, self.parameters
        points = float(given[declared.given]) if declared.given else 0.0
        if declared.taken:
            points -= float(given[declared.taken])
        return Drift(points, self.floor)

    @property
    def floor(self) -> float | None:
        """The rating points that no rating falls below; None where there is no such limit."""
        given = self.parameters.get("floor")
        return self.declaration.floor if given is None else float(given)

    @property
    def parameters(self) -> Mapping[str, Value]:
        """Every parameter with the value in force."""
        return self.settings.as_dict()

    def initial(self, n: int) -> Ratings:
        """The ratings of n players who have not played."""
        given, nothing = self.parameters, np.zeros(n, dtype=np.int64)
        deviation = np.full(n, given["deviation_start"]) if self.uses_deviation else None
        return Ratings(np.full(n, given["start"]), deviation, None, nothing, nothing.copy())

    @abstractmethod
    def age(self, ratings: Ratings, periods: ArrayLike) -> Ratings:
        """The ratings after `periods` more periods: a number, or one per player; fractions too.

        Deviations grow; no rating moves, for that is `drift`. Never part of `rate`.
        Raises ValueError when a number is negative or not finite.
        """

    @abstractmethod
    def rate(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        """Instant systems: each game an event of its own, in order. Others: one period.

        `all_count`: the pool is still too small for games against established opponents only to
        count towards "established", so every game does.
        """

    @abstractmethod
    def rate_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        """`rate`, and why each rating changed."""

    def rate_event(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        """Every game simultaneous: one period of any system."""
        return self.rate_event_explained(ratings, results, all_count=all_count)[0]

    @abstractmethod
    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        """`rate_event`, and why each rating changed."""

    def rate_event_summed(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Sums]:
        """`rate_event`, and why each rating changed, without a row for each game."""
        after, changes = self.rate_event_explained(ratings, results, all_count=all_count)
        return after, Sums.of(changes, len(ratings))

    @abstractmethod
    def expected(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Floats:
        """The score predicted for `first` (positions) against `second`; both sides sum to 1.

        `side`: who plays the better side, as in `Duels`; it changes nothing in a system without sides.
        """

    def expected_of(self, ratings: Ratings, contests: Contests) -> Floats:
        """For each row of contests the score predicted for its team: its mean over the other teams.

        Of systems that take teams; the others raise TypeError.
        """
        _refuse_teams(self.name)

    @abstractmethod
    def status(self, ratings: Ratings) -> Statuses:
        """int8 per player, a `Status`: 0 new, 1 provisional, 2 established."""

    @abstractmethod
    def periods_until(
        self, deviation: ArrayLike, threshold: float, volatility: ArrayLike | None = None
    ) -> Floats:
        """Idle periods until a deviation has grown to `threshold` points; inf if it never does.

        0 where it is that large already. `volatility`: of the same players, where the system has one.
        """


@dataclass(frozen=True, slots=True)
class PeriodSystem(System):
    """A system whose games of one period can be told apart: each game adds points of its own."""

    @abstractmethod
    def explain_games(self, ratings: Ratings, results: Results, worth: Floats) -> Changes:
        """What some games of a period were to their players, without the other games of it.

        `ratings` are those before the period, `worth` that of each player after it, as the `Changes`
        of the whole period had it. `value_after` is not known and that before.
        """


@runtime_checkable
class DrawsAndSideSystem(Protocol):
    """A system that reads off a history how often games are drawn and what a side is worth."""

    def likely_draws_and_side(self, ratings: Ratings, duels: Duels) -> Mapping[str, float]:
        """The parameters, by name, with which these results are most likely; at least one game.

        `ratings` are those before the first game; the others come from rating the games one by one.
        """


def only_duels(results: Results, *, system: str) -> Duels:
    """The results, if they are games of one against one; TypeError if not."""
    if isinstance(results, Contests):
        _refuse_teams(system)
    return results


def _refuse_teams(system: str) -> NoReturn:
    raise TypeError(f"{system} rates one against one: give it Duels, not Contests")
