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
    """What m games did.

    rows      float64, shape (m, 4, 2): before, expected, weight, after, each of both sides
    statuses  int8, shape (m, 2): of both sides before the game
    """

    rows: Floats
    statuses: Statuses

    @classmethod
    def blank(cls, games: int) -> Self:
        return cls(np.empty((games, 4, 2)), np.empty((games, 2), dtype=np.int8))

    def explain(self, duels: Duels) -> Changes:
        before, expected, weight, after = (self.rows[:, figure].ravel() for figure in range(4))
        status = self.statuses.ravel()
        return Sides.of(duels).explain(expected, weight, before, after, status)
