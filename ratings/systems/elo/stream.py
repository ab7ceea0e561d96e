"""Elo games one after the other, as `waves` wants them."""

import numpy as np

from ratings.systems.arrays import Ints
from ratings.systems.elo.game import rate_games
from ratings.systems.elo.one_by_one import play_one_by_one
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.table import Journal, Table
from ratings.systems.results import Duels
from ratings.systems.status import Status

__all__ = ["EloStream"]


class EloStream:
    """The games and the figures they change: writes into `table` and, if given, `journal`."""

    def __init__(
        self,
        parameters: EloParameters,
        table: Table,
        duels: Duels,
        *,
        all_count: bool,
        journal: Journal | None,
    ) -> None:
        self.parameters = parameters
        self.table = table
        self.score = duels.score
        self.all_count = all_count
        self.journal = journal

    def play_wave(self, games: Ints, players: Ints) -> None:
        """Play games that share no player, as arrays."""
        table = self.table
        before, status = table.value[players], table.status[players]
        expected, k, after = rate_games(self.parameters, before, status, self.score[games])
        counts = self.all_count | (status[::-1] == Status.ESTABLISHED)
        counted = table.counted[players] + counts
        table.value[players] = after
        table.counted[players] = counted
        table.status[players] = 1 + (counted >= self.parameters.established_after)
        if self.journal is not None:
            figures = np.stack((before, expected, k, after))
            self.journal.rows[games] = figures.transpose(2, 0, 1)
            self.journal.statuses[games] = status.T

    def play_one_by_one(self, games: Ints, players: Ints) -> None:
        """Play games in their order in plain Python."""
        played, statuses = play_one_by_one(
            self.parameters, self.table, players, self.score[games], self.all_count
        )
        if self.journal is not None:
            self.journal.rows[games] = np.array(played).reshape(-1, 4, 2)
            self.journal.statuses[games] = np.array(statuses, dtype=np.int8)
