"""Running figures of Elo players, and what each game did to them."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ratings.systems.arrays import Floats, Ints, Statuses
from ratings.systems.changes import Changes, Sides
from ratings.systems.results import Duels

__all__ = ["Journal", "Table"]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Arrays of length n, written in place while games are played."""

    value: Floats
    counted: Ints
    status: Statuses


@dataclass(frozen=True, slots=True, eq=False)
class Journal:
    """Arrays of shape (2, m): row 0 for the first players of m games, row 1 for the second."""

    expected: Floats
    weight: Floats
    before: Floats
    after: Floats

    @classmethod
    def blank(cls, games: int) -> Self:
        return cls(*(np.empty((2, games)) for _ in range(4)))

    def write(
        self, games: Ints, before: Floats, expected: Floats, weight: Floats, after: Floats
    ) -> None:
        """Note some of the games; each of the four is of shape (2, len(games))."""
        self.before[:, games], self.expected[:, games] = before, expected
        self.weight[:, games], self.after[:, games] = weight, after

    def explain(self, duels: Duels) -> Changes:
        columns = (self.expected, self.weight, self.before, self.after)
        return Sides.of(duels).explain(*(column.T.ravel() for column in columns))
