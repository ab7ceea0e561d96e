"""Duels one after the other, as `waves` wants them."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ratings.systems.arrays import Floats, Ints, Statuses
from ratings.systems.changes import Changes, Sides
from ratings.systems.frags.game import player_of_one, rate_games
from ratings.systems.frags.parameters import FragsParameters
from ratings.systems.results import Duels
from ratings.systems.state import Status

__all__ = ["FragsJournal", "FragsStream", "Table"]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Running figures of players; arrays of length n, written in place while duels are played."""

    value: Floats
    counted: Ints
    status: Statuses


@dataclass(frozen=True, slots=True, eq=False)
class FragsJournal:
    """What m duels did: rows of shape (m, 4, 2) as `rate_games` gives them, statuses (m, 2)."""

    rows: Floats
    statuses: Statuses

    @classmethod
    def blank(cls, games: int) -> Self:
        return cls(np.empty((games, 4, 2)), np.empty((games, 2), dtype=np.int8))

    def explain(self, duels: Duels) -> Changes:
        before, expected, weight, after = (self.rows[:, figure].ravel() for figure in range(4))
        sides = Sides.of(duels)
        return sides.explain(expected, weight, before, after, self.statuses.ravel())


class FragsStream:
    """The duels and the figures they change: writes into `table` and, if given, `journal`."""

    def __init__(
        self,
        parameters: FragsParameters,
        table: Table,
        strength: Floats,
        *,
        all_count: bool,
        journal: FragsJournal | None,
    ) -> None:
        self.parameters = parameters
        self.table = table
        self.strength = strength
        self.all_count = all_count
        self.journal = journal

    def play_wave(self, games: Ints, players: Ints) -> None:
        """Play duels that share no player, as arrays."""
        table, status = self.table, self.table.status[players]
        figures = rate_games(self.parameters, table.value[players], self.strength[games])
        counts = self.all_count | (status[::-1] == Status.ESTABLISHED)
        counted = table.counted[players] + counts
        table.value[players] = figures[3]
        table.counted[players] = counted
        table.status[players] = 1 + (counted >= self.parameters.established_after)
        if self.journal is not None:
            self.journal.rows[games] = figures.transpose(2, 0, 1)
            self.journal.statuses[games] = status.T

    def play_one_by_one(self, games: Ints, players: Ints) -> None:
        """Play duels in their order in plain Python."""
        who, where = np.unique(players.ravel(), return_inverse=True)
        first, second = where[: len(games)].tolist(), where[len(games) :].tolist()
        strength = self.strength[games].tolist()
        value, rows = self.table.value[who].tolist(), list[tuple[float, ...]]()
        play = player_of_one(self.parameters)
        for a, b, e in zip(first, second, strength, strict=True):
            row = play(value[a], value[b], e)
            rows.append(row)
            value[a], value[b] = row[6], row[7]
        self.table.value[who] = value
        statuses = self._count(who, first, second)
        if self.journal is not None and len(games):
            self.journal.rows[games] = np.array(rows).reshape(-1, 4, 2)
            self.journal.statuses[games] = np.array(statuses, dtype=np.int8)

    def _count(self, who: Ints, first: list[int], second: list[int]) -> list[tuple[int, int]]:
        """Count games; ratings have no part in it. Returns the statuses before each."""
        counted, status = self.table.counted[who].tolist(), self.table.status[who].tolist()
        established, needed = int(Status.ESTABLISHED), self.parameters.established_after
        before = []
        for a, b in zip(first, second, strict=True):
            own, other = status[a], status[b]
            before.append((own, other))
            counted[a] += self.all_count or other == established
            counted[b] += self.all_count or own == established
            status[a] = 1 + (counted[a] >= needed)
            status[b] = 1 + (counted[b] >= needed)
        self.table.counted[who], self.table.status[who] = counted, status
        return before
