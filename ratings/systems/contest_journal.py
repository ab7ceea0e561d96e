"""What contests did to ratings, row by row."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ratings.systems.arrays import Floats, Ints, Statuses
from ratings.systems.changes import Changes
from ratings.systems.contests import Contests
from ratings.systems.team_pairs import ContestTeams

__all__ = ["ContestJournal", "RowFigures"]


@dataclass(frozen=True, slots=True, eq=False)
class RowFigures:
    """What some rows of contests did, as `Changes` has it; each of length w."""

    expected: Floats
    actual: Floats
    weight: Floats
    points: Floats
    before: Floats
    after: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ContestJournal:
    """What r rows did: figures float64 of shape (r, 6), as in `RowFigures`; status int8 of length r: before."""

    figures: Floats
    status: Statuses

    @classmethod
    def blank(cls, rows: int) -> Self:
        return cls(np.empty((rows, 6)), np.empty(rows, dtype=np.int8))

    def note(self, rows: Ints, did: RowFigures, status: Statuses) -> None:
        """Write down what contests did to these rows."""
        figures = (did.expected, did.actual, did.weight, did.points, did.before, did.after)
        self.figures[rows] = np.stack(figures, axis=1)
        self.status[rows] = status

    def explain(self, contests: Contests) -> Changes:
        """The rows as `Changes`; one row a player of each contest."""
        expected, actual, weight, points, before, after = self.figures.T.copy()
        return Changes(
            game=contests.contest,
            player=contests.player,
            opponent=ContestTeams.of(contests).only_opponent(),
            expected=expected,
            actual=actual,
            weight=weight,
            contribution=points,
            value_before=before,
            value_after=after,
            status_before=self.status,
        )
