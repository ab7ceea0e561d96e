"""Elo games one after the other, as `waves` wants them."""

import numpy as np

from ratings.systems.arrays import Floats, Ints
from ratings.systems.elo.game import Played, play_in_order, rate_games, rate_plainly
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.weights import k_of_statuses
from ratings.systems.points import DuelJournal, Table, statuses
from ratings.systems.results import Duels

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
        journal: DuelJournal | None,
    ) -> None:
        self.parameters = parameters
        self.curve = parameters.curve
        self.k_by_status = np.array(k_of_statuses(parameters))
        self.table = table
        self.score = duels.score
        self.side = duels.side if self.curve.advantage else None
        self.all_count = all_count
        self.journal = journal

    def play_wave(self, games: Ints, players: Ints) -> None:
        """Play games that share no player, as arrays."""
        table, parameters = self.table, self.parameters
        before, progress = table.value.take(players), table.progress.take(players)
        status = statuses(progress, parameters.established_after)
        results = self._results(games)
        if self.journal is None and parameters.k_by_rating == "none":
            rate_plainly(self.k_by_status, self.curve, before, status, results)
            after = before
        else:
            expected, k, after = rate_games(parameters, self.curve, before, status, results)
        table.value[players] = after
        table.count(players, progress, status, all_count=self.all_count)
        if self.journal is not None:
            self.journal.write(games, np.stack((before, expected, k, after)), status)

    def play_one_by_one(self, games: Ints, players: Ints) -> None:
        """Play games in their order in plain Python."""
        who, where = np.unique(players, return_inverse=True)
        pairs = where.reshape(players.shape)
        running = self.table.value[who].tolist(), self.table.progress[who].tolist()
        score, side = self._results(games)
        columns = (pairs[0], pairs[1], score, np.zeros(games.size) if side is None else side)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        log: list[Played] | None = None if self.journal is None else []
        play_in_order(self.parameters, running, rows, all_count=self.all_count, log=log)
        self.table.value[who], self.table.progress[who] = running
        if self.journal is not None:
            figures: Floats = np.array(log).reshape(-1, 5, 2).transpose(1, 2, 0)
            self.journal.write(games, figures[:4], figures[4])

    def _results(self, games: Ints) -> tuple[Floats, Floats | None]:
        return self.score.take(games), None if self.side is None else self.side.take(games)
