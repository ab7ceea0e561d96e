"""Results of matches of any number of teams of any size as arrays: long format, one row a player."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Ints, whole_row
from ratings.systems.results import Duels

__all__ = ["Contests"]


@dataclass(frozen=True, slots=True, eq=False)
class Contests:
    """m contests of r players in all; every array has length r. A row is one player in one contest.

    contest  int64, 0..m-1, never falling: the rows of a contest stand together, contests in their order
    team     int64, 0..k-1 within a contest of k teams (2 or more), never falling within it
    player   int64, positions of the players in the `Ratings` they are rated with
    rank     int64, of the team: 0 is best, equal ranks are a tie; the same in all rows of a team
    weight   float64, 0 to 1: the share of the contest in which the player took part
    score    float64, what the player counted in the game; None where it is not known
    minutes  float64, how long the player took part; None where it is not known

    Raises ValueError naming the contest when this does not hold, or when a player is in a contest twice.
    """

    contest: Ints
    team: Ints
    player: Ints
    rank: Ints
    weight: Floats = None  # type: ignore[assignment]  # ones when left out
    score: Floats | None = None
    minutes: Floats | None = None

    def __post_init__(self) -> None:
        for name in ("contest", "team", "player", "rank"):
            object.__setattr__(self, name, whole_row(name, getattr(self, name)))
        size = len(self.contest)
        given = np.ones(size) if self.weight is None else self.weight
        object.__setattr__(self, "weight", _real("weight", given, size))
        for name in ("score", "minutes"):
            if (column := getattr(self, name)) is not None:
                object.__setattr__(self, name, _real(name, column, size))
        for name in ("team", "player", "rank"):
            if (column := getattr(self, name)).shape != (size,):
                raise ValueError(
                    f"{name} has shape {column.shape}: must be ({size},), as contest is"
                )
        if size:
            self._check_order()
            self._check_values()

    def __len__(self) -> int:
        return int(self.contest[-1]) + 1 if len(self.contest) else 0

    @property
    def starts(self) -> Ints:
        """int64, length m + 1: the first row of each contest, and r."""
        return np.searchsorted(self.contest, np.arange(len(self) + 1))

    def part(self, start: int, stop: int) -> "Contests":
        """The contests from `start` up to, but without, `stop`, numbered from 0."""
        low, high = np.searchsorted(self.contest, (start, stop)).tolist()
        columns: dict[str, Any] = {
            name: None if (column := getattr(self, name)) is None else column[low:high]
            for name in ("team", "player", "rank", "weight", "score", "minutes")
        }
        return Contests(self.contest[low:high] - start, **columns)

    @classmethod
    def of_duels(cls, duels: Duels) -> "Contests":
        """Games of one against one as contests of two teams of one. Sides are lost."""
        m = len(duels)
        players = np.stack((duels.first, duels.second), axis=1)
        won = np.stack((duels.score < 0.5, duels.score > 0.5), axis=1)
        return cls(
            np.repeat(np.arange(m), 2),
            np.tile([0, 1], m),
            players.ravel(),
            won.ravel().astype(np.int64),
            None,  # type: ignore[arg-type]
            None if duels.points is None else duels.points.ravel(),
        )

    def check_players(self, n: int) -> None:
        """Raise ValueError when a contest names a player beyond the n that are rated."""
        if (highest := np.max(self.player, initial=-1)) >= n:
            raise ValueError(
                f"a contest names player {highest}: must be below {n}, the players rated"
            )

    def _check_order(self) -> None:
        step = np.diff(self.contest, prepend=-1)
        if not ((step == 0) | (step == 1)).all():
            row = np.flatnonzero((step != 0) & (step != 1))[0]
            raise ValueError(
                f"row {row}: contest {self.contest[row]} must follow the one before it"
            )
        team = np.diff(self.team, prepend=0)
        team[step == 1] = self.team[step == 1]
        wrong = np.where(step == 1, team != 0, (team != 0) & (team != 1))
        if wrong.any():
            self._refuse(
                np.flatnonzero(wrong)[0],
                "its teams must be numbered 0, 1, … in the order of the rows",
            )
        last = np.append(np.flatnonzero(step == 1)[1:], len(step)) - 1
        if (alone := last[self.team[last] < 1]).size:
            self._refuse(alone[0], "must have two teams or more")

    def _check_values(self) -> None:
        same = (self.contest[1:] == self.contest[:-1]) & (self.team[1:] == self.team[:-1])
        if (torn := np.flatnonzero(same & (self.rank[1:] != self.rank[:-1]))).size:
            self._refuse(torn[0], f"team {self.team[torn[0]]} has two ranks")
        if (outside := np.flatnonzero((self.weight < 0) | (self.weight > 1))).size:
            self._refuse(outside[0], f"weight {self.weight[outside[0]]} must be from 0 to 1")
        if self.minutes is not None and (below := np.flatnonzero(self.minutes < 0)).size:
            self._refuse(below[0], f"minutes {self.minutes[below[0]]} must not be negative")
        # Nobody takes part in a contest twice.
        bits = int(self.player.max()).bit_length()
        players = self.player
        if bits + len(self).bit_length() > 63:
            # Positions too high to stand beside the contest in one number: count those there are.
            players = np.unique(players, return_inverse=True)[1]
            bits = int(players.max()).bit_length()
        entries = self.contest << bits | players
        # Sorting numbers is several times faster than asking for their order.
        entries.sort()
        if (twice := entries[1:][entries[1:] == entries[:-1]]).size:
            row = np.flatnonzero(self.contest << bits | players == twice[0])[0]
            self._refuse(row, f"player {self.player[row]} takes part twice")

    def _refuse(self, row: int, why: str) -> None:
        raise ValueError(f"contest {self.contest[row]}: {why}")


def _real(name: str, given: ArrayLike, size: int) -> Floats:
    column = np.asarray(given, dtype=np.float64)
    if column.shape != (size,) or not np.isfinite(column).all():
        raise ValueError(f"{name} has shape {column.shape}: must be ({size},), and finite")
    return column
