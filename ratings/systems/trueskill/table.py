"""Running figures of TrueSkill players, and what each row of the results did to them."""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from ratings.systems.arrays import Bools, Floats, Ints, Statuses
from ratings.systems.state import Status
from ratings.systems.trueskill.parameters import TrueSkillParameters

__all__ = ["Table", "TrueSkillJournal", "find_established", "statuses"]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Arrays of length n, written in place while games are played.

    is_new  who has not played yet; kept up to date where a journal needs it
    """

    value: Floats
    deviation: Floats
    counted: Ints
    is_new: Bools


def find_established(parameters: TrueSkillParameters, counted: Ints, deviation: Floats) -> Bools:
    """Who is established: only who has played can have games that count."""
    established: Bools = counted >= parameters.established_after
    established &= deviation <= parameters.provisional_deviation
    return established


def statuses(is_new: Bools, established: Bools) -> Statuses:
    """The `Status` of each player."""
    status = established + np.int8(Status.PROVISIONAL)
    status[is_new] = Status.NEW
    return status


@dataclass(frozen=True, slots=True, eq=False)
class TrueSkillJournal:
    """What each row of the results, a player in a game each, was before and did.

    gain  points for each deviation by which what was expected is surpassed
    """

    value_before: Floats
    value_after: Floats
    deviation_before: Floats
    deviation_after: Floats
    expected: Floats
    gain: Floats
    status_before: Statuses

    @classmethod
    def blank(cls, rows: int) -> Self:
        value, after, deviation, left, expected, gain = (np.empty(rows) for _ in range(6))
        status = np.empty(rows, dtype=np.int8)
        return cls(value, after, deviation, left, expected, gain, status)

    def write(self, rows: Ints, figures: tuple[Floats | Statuses, ...]) -> None:
        """Note the figures of some rows, in the order of the columns."""
        for column, figure in zip(fields(self), figures, strict=True):
            getattr(self, column.name)[rows] = figure
