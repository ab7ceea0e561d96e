"""How far a player's rating can be trusted: new, provisional, established."""

from enum import IntEnum

import numpy as np

from ratings.systems.arrays import Ints, Statuses

__all__ = ["Status", "status_by_games"]


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
