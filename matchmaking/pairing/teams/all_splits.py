"""All ways of splitting the tickets of a match into teams, by the sizes of its parties."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ratings.systems.arrays import Floats, Ints

__all__ = ["MOST_SPLITS", "Splits", "imparity", "splits_of"]

# Nine against nine players who came alone have 24,310.
MOST_SPLITS = 25_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Splits:
    """S ways of splitting g tickets into k teams, teams without numbers: no two are the same.

    team      int64 (S, g), the team of each ticket; of teams the one of an earlier ticket is lower
    imparity  float64 (S,), 0..1: how far the teams are from having parties of the same sizes
    """

    team: Ints
    imparity: Floats

    def __len__(self) -> int:
        return len(self.team)


@lru_cache(maxsize=64)
def splits_of(sizes: tuple[int, ...], count: int, size: int) -> Splits | None:
    """Every split of parties of these sizes into `count` teams of `size`; None: too many to look at.

    In lexical order. Of 10 who came alone into two teams: 126. Shared: not to be written into.
    """
    team = np.zeros((1, 0), dtype=np.int64)
    free, begun = np.full((1, count), size), np.zeros((1, 1), dtype=np.int64)
    for party in sizes:
        row, to = np.nonzero((free >= party) & (np.arange(count) <= begun))
        if len(row) > 2 * MOST_SPLITS:
            return None
        team, free = np.column_stack((team[row], to)), free[row]
        free[np.arange(len(row)), to] -= party
        begun = np.maximum(begun[row], to[:, np.newaxis] + 1)
    if len(team) > MOST_SPLITS:
        return None
    return Splits(team=team, imparity=imparity(np.array(sizes), team, count, size))


def imparity(sizes: Ints, team: Ints, count: int, size: int) -> Floats:
    """How unlike the parties of the teams are: 0 where all have the same sizes, 1 at most.

    sizes  int64 (g,), players of each ticket
    team   int64 (S, g), its team in each split

    Of two teams the share of players whose party has no counterpart in the other team. Of more,
    the players of each size of party, the most of a team less the fewest, summed and halved.
    """
    unlike = np.zeros(len(team))
    for party in np.unique(sizes):
        players = party * _count(team[:, sizes == party], count)
        unlike += players.max(axis=1) - players.min(axis=1)
    share: Floats = np.minimum(unlike / (2 * size), 1.0)
    return share


def _count(team: Ints, count: int) -> NDArray[np.int64]:
    """(S, k): how many of the columns each team has."""
    rows = np.arange(len(team))[:, np.newaxis] * count
    counted = np.bincount((team + rows).ravel(), minlength=len(team) * count)
    return counted.reshape(len(team), count)
