"""Running figures of Elo players, and what each game did to them."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ratings.systems.arrays import Floats, Ints, Statuses
from ratings.systems.changes import Changes, Sides
from ratings.systems.results import Duels
from ratings.systems.state import Ratings, Status

__all__ = ["Journal", "Table", "statuses"]


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
class Journal:
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
