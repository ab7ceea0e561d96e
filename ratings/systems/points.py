"""What systems have in common whose rating is a number of points alone, without a deviation.

`PointsSystem` is for all of them, `DuelSystem` for those that play each duel as an event of its own: into a `Table` of
running figures and, to explain, a `DuelJournal` of what each game did.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Ints, Statuses
from ratings.systems.base import Results, Settings, System, only_duels
from ratings.systems.changes import Changes, Sides
from ratings.systems.counting import elapsed, games_played
from ratings.systems.results import Duels
from ratings.systems.state import Ratings, Status, status_by_games
from ratings.systems.waves import play_in_waves

__all__ = [
    "DuelJournal",
    "DuelStream",
    "DuelSystem",
    "Game",
    "Played",
    "PointsSystem",
    "Running",
    "Table",
    "points_ahead",
    "statuses",
]

P = TypeVar("P")
# Both players (indexes of the lists of `Running`), score and side of the first.
Game: TypeAlias = tuple[int, int, float, float]
# Values and progress of players, as `Table` has them.
Running: TypeAlias = tuple[list[float], list[int]]
# Of first and of second each: rating before, expected score, K, rating after, status before.
Played: TypeAlias = tuple[float, float, float, float, float, float, float, float, int, int]


class PointsParameters(Settings, Protocol):
    """What the parameters of each such system hold."""

    @property
    def established_after(self) -> int:
        """Counted games after which a player is established."""


@dataclass(frozen=True, slots=True)
class PointsSystem(System):
    """A `System` that is untouched by time unless it says otherwise."""

    settings: PointsParameters

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


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Arrays of length n, written in place while games are played.

    value     float64, rating points
    progress  int64, counted games; of a new player their complement, which is below 0. One array
              for both is half the reading and writing.
    """

    value: Floats
    progress: Ints

    @classmethod
    def of(cls, ratings: Ratings) -> Self:
        counted = ratings.counted
        return cls(ratings.value.copy(), np.where(ratings.games > 0, counted, ~counted))

    @property
    def counted(self) -> Ints:
        return np.where(self.progress < 0, ~self.progress, self.progress)

    def count(self, players: Ints, progress: Ints, status: Statuses, *, all_count: bool) -> None:
        """Count one game each of players, shape (2, w), of this progress and status.

        `progress` is used up.
        """
        if all_count or status.max() == Status.ESTABLISHED:
            progress ^= progress >> 63  # who was new is new no more
            progress += True if all_count else status[::-1] == Status.ESTABLISHED
            self.progress[players] = progress
        else:  # no game counts: only who was new is changed
            is_new = np.flatnonzero(progress < 0)
            if is_new.size:
                self.progress[players.take(is_new)] = ~progress.take(is_new)


def statuses(progress: Ints, established_after: int) -> Statuses:
    """The `Status` that a progress stands for."""
    status: Statuses = np.add(progress >= 0, progress >= established_after, dtype=np.int8)
    return status


@dataclass(frozen=True, slots=True, eq=False)
class DuelJournal:
    """What m games did.

    rows      float64, shape (m, 4, 2): before, expected, weight, after, each of both sides
    statuses  int8, shape (m, 2): of both sides before the game
    """

    rows: Floats
    statuses: Statuses

    @classmethod
    def blank(cls, games: int) -> Self:
        return cls(np.empty((games, 4, 2)), np.empty((games, 2), dtype=np.int8))

    def write(self, games: Ints, figures: Floats, status: Statuses | Floats) -> None:
        """Note `figures`, shape (4, 2, w), and `status`, shape (2, w), of w games."""
        self.rows[games] = figures.transpose(2, 0, 1)
        self.statuses[games] = status.T

    def explain(self, duels: Duels) -> Changes:
        before, expected, weight, after = (self.rows[:, figure].ravel() for figure in range(4))
        status = self.statuses.ravel()
        return Sides.of(duels).explain(expected, weight, before, after, status)


class DuelStream(ABC, Generic[P]):
    """Duels one after the other, as `waves` wants them, and the figures they change.

    Writes into `table` and, if given, `journal`. Both ways of playing do the same operations in the
    same order: equal to the bit.
    """

    def __init__(
        self,
        parameters: P,
        table: Table,
        duels: Duels,
        *,
        all_count: bool,
        journal: DuelJournal | None,
    ) -> None:
        self.parameters = parameters
        self.table = table
        self.score = duels.score
        self.side = duels.side
        self.all_count = all_count
        self.journal = journal

    @abstractmethod
    def play_wave(self, games: Ints, players: Ints) -> None:
        """Play games that share no player, as arrays."""

    @abstractmethod
    def play_in_order(
        self, running: Running, games: Iterable[Game], log: list[Played] | None
    ) -> None:
        """Play games in plain Python, writing into `running` and, if given, `log`."""

    def play_one_by_one(self, games: Ints, players: Ints) -> None:
        """Play games in their order in plain Python."""
        who, where = np.unique(players, return_inverse=True)
        running = self.table.value[who].tolist(), self.table.progress[who].tolist()
        side = np.zeros(games.size) if self.side is None else self.side.take(games)
        columns = (*where.reshape(players.shape), self.score.take(games), side)
        log: list[Played] | None = None if self.journal is None else []
        rows = zip(*(column.tolist() for column in columns), strict=True)
        self.play_in_order(running, rows, log)
        self.table.value[who], self.table.progress[who] = running
        if self.journal is not None:
            figures: Floats = np.array(log).reshape(-1, 5, 2).transpose(1, 2, 0)
            self.journal.write(games, figures[:4], figures[4])


@dataclass(frozen=True, slots=True)
class DuelSystem(PointsSystem):
    """A `System` of points that plays duels into a `Table`, by its `stream`."""

    stream: ClassVar[type[DuelStream[Any]]]

    def duels_of(self, results: Results) -> Duels:
        """The results as they are played; TypeError or ValueError where they cannot be."""
        return only_duels(results, system=self.name)

    def rate(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        return self._play(ratings, self.duels_of(results), all_count, None)

    def rate_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        duels = self.duels_of(results)
        journal = DuelJournal.blank(len(duels))
        after = self._play(ratings, duels, all_count, journal)
        return after, journal.explain(duels)

    def _play(
        self, ratings: Ratings, duels: Duels, all_count: bool, journal: DuelJournal | None
    ) -> Ratings:
        duels.check_players(len(ratings))
        table = Table.of(ratings)
        stream = self.stream(self.settings, table, duels, all_count=all_count, journal=journal)
        with np.errstate(over="ignore"):  # an infinite difference is sure to win
            play_in_waves(stream, duels.first, duels.second)
        games = ratings.games + games_played(duels, len(ratings))
        return Ratings(table.value, None, None, games, table.counted)
