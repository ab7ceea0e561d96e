"""Games one after the other under normal performances, as `waves` wants them.

`ndtr` serves arrays and single numbers alike, so both ways give the same bits on one machine.
"""

import numpy as np
import scipy  # loads its parts when they are first used: most processes use none

from ratings.systems.arrays import Floats, Ints
from ratings.systems.elo_normal.parameters import EloNormalParameters
from ratings.systems.points import DuelJournal, Table, statuses
from ratings.systems.results import Duels

__all__ = ["EloNormalStream"]

# Of first and of second each: rating before, expected score, K, rating after, status before.
_Played = tuple[float, float, float, float, float, float, float, float, int, int]


class EloNormalStream:
    """The games and the figures they change: writes into `table` and, if given, `journal`."""

    def __init__(
        self,
        parameters: EloNormalParameters,
        table: Table,
        duels: Duels,
        *,
        all_count: bool,
        journal: DuelJournal | None,
    ) -> None:
        self.weight, self.per_point = parameters.weight, parameters.per_point
        self.established_after = parameters.established_after
        self.table = table
        self.score = duels.score
        self.all_count = all_count
        self.journal = journal

    def play_wave(self, games: Ints, players: Ints) -> None:
        """Play games that share no player, as arrays."""
        table, score = self.table, self.score.take(games)
        before, progress = table.value.take(players), table.progress.take(players)
        status = statuses(progress, self.established_after)
        expected = scipy.special.ndtr((before[0] - before[1]) * self.per_point)
        points = self.weight * (score - expected)
        after = np.stack((before[0] + points, before[1] - points))
        table.value[players] = after
        table.count(players, progress, status, all_count=self.all_count)
        if self.journal is not None:
            sides = np.stack((expected, 1.0 - expected))
            figures = np.stack((before, sides, np.full_like(before, self.weight), after))
            self.journal.write(games, figures, status)

    def play_one_by_one(self, games: Ints, players: Ints) -> None:
        """Play games in their order in plain Python."""
        who, where = np.unique(players, return_inverse=True)
        columns = (*where.reshape(players.shape), self.score.take(games))
        value, progress = self.table.value[who].tolist(), self.table.progress[who].tolist()
        needed, weight, log = self.established_after, self.weight, list[_Played]()
        for a, b, reached in zip(*(column.tolist() for column in columns), strict=True):
            own, other = progress[a], progress[b]
            status, rival = (own >= 0) + (own >= needed), (other >= 0) + (other >= needed)
            first, second = value[a], value[b]
            expected = float(scipy.special.ndtr((first - second) * self.per_point))
            points = weight * (reached - expected)
            value[a], value[b] = after = first + points, second - points
            chances = expected, 1.0 - expected
            log.append((first, second, *chances, weight, weight, *after, status, rival))
            progress[a] = (own if status else ~own) + (self.all_count or rival == 2)
            progress[b] = (other if rival else ~other) + (self.all_count or status == 2)
        self.table.value[who], self.table.progress[who] = value, progress
        if self.journal is not None:
            figures: Floats = np.array(log).reshape(-1, 5, 2).transpose(1, 2, 0)
            self.journal.write(games, figures[:4], figures[4])
