"""Ratings of n players as arrays, and how far each can be trusted: new, provisional, established."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Ints, Statuses

__all__ = ["Ratings", "Status", "status_by_games"]


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """What is known of n players; every array has length n. Systems never write into them.

    value       float64, rating points
    deviation   float64, one standard deviation in rating points; None where a system has none
    volatility  float64; None where a system has none
    games       int64, rated games
    counted     int64, those of them that count towards "established"
    """

    value: Floats
    deviation: Floats | None
    volatility: Floats | None
    games: Ints
    counted: Ints

    def __post_init__(self) -> None:
        size = len(np.atleast_1d(self.value))
        for name in ("value", "deviation", "volatility"):
            if (given := getattr(self, name)) is not None:
                object.__setattr__(self, name, _column(name, given, np.float64, size))
        for name in ("games", "counted"):
            object.__setattr__(self, name, _column(name, getattr(self, name), np.int64, size))

    @classmethod
    def without_games(cls, value: Floats, deviation: Floats | None) -> "Ratings":
        """Ratings with no games and no volatility: expected scores ask for neither."""
        games = np.zeros(len(value), dtype=np.int64)
        return cls(value, deviation, None, games, games)

    def __len__(self) -> int:
        return len(self.value)

    def deviation_for(self, system: str) -> Floats:
        """The deviations; ValueError where there are none, and the system needs them."""
        if self.deviation is None:
            raise ValueError(f"ratings have no deviation: {system} needs one for every player")
        return self.deviation

    def take(self, indices: ArrayLike) -> "Ratings":
        """The ratings of some players, in the order of `indices`, as new arrays."""
        chosen = np.asarray(indices, dtype=np.int64)
        return Ratings(
            self.value[chosen],
            None if self.deviation is None else self.deviation[chosen],
            None if self.volatility is None else self.volatility[chosen],
            self.games[chosen],
            self.counted[chosen],
        )

    def with_columns(self, **columns: Floats | Ints | None) -> "Ratings":
        """The same ratings but for these columns, which must be right: nothing is checked anew."""
        after = object.__new__(Ratings)
        for name in self.__slots__:
            column = columns[name] if name in columns else getattr(self, name)
            object.__setattr__(after, name, column)
        return after

    def copy(self) -> "Ratings":
        """The same ratings in arrays of their own."""
        columns = {name: getattr(self, name) for name in self.__slots__}
        copied = {name: it if it is None else it.copy() for name, it in columns.items()}
        return self.with_columns(**copied)


def _column(name: str, given: ArrayLike, dtype: Any, size: int) -> Any:
    column = np.asarray(given, dtype=dtype)
    if column.shape != (size,):
        raise ValueError(f"{name} has shape {column.shape}: must be ({size},), as value is")
    if column.dtype.kind == "f" and not np.isfinite(column).all():
        raise ValueError(f"{name} holds NaN or infinity: every number must be finite")
    return column


class Status(IntEnum):
    """The values of the arrays that `System.status` returns."""

    NEW = 0
    PROVISIONAL = 1
    ESTABLISHED = 2


def status_by_games(games: Ints, counted: Ints, established_after: int) -> Statuses:
    """Status from the number of rated games, and of those that count: int8, same length."""
    rated = (games > 0).astype(np.int8)
    established: Statuses = rated + ((games > 0) & (counted >= established_after))
    return established
