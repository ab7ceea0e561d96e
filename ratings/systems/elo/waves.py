"""Elo games one after the other: exact, and fast by waves.

A *wave* takes the first open game of every player, so that nobody appears in it twice: its games
cannot influence each other and are computed as arrays. Where few players play many games waves
get thin, and the open games are played one by one, which gives the same bits.
"""

import numpy as np

from ratings.systems.arrays import Bools, Ints
from ratings.systems.elo.game import rate_games
from ratings.systems.elo.one_by_one import play_one_by_one
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.table import Journal, Table
from ratings.systems.results import Duels
from ratings.systems.status import Status

__all__ = ["play_in_waves"]

# Fewer games than this are faster played one by one. Measured, as the window's limits are; other
# figures change the speed, never a rating.
_SMALLEST_WAVE = 40
_SMALLEST_WINDOW, _LARGEST_WINDOW = 256, 16_384
_WIDEN = 0.5


def play_in_waves(
    parameters: EloParameters,
    table: Table,
    duels: Duels,
    *,
    all_count: bool,
    journal: Journal | None = None,
) -> None:
    """Play every game in the order given, writing into `table` and, if given, `journal`."""
    stream = _Stream(parameters, table, duels, all_count, journal)
    place = np.zeros(len(table.value), dtype=np.int64)
    open_games, coming, window = np.empty(0, dtype=np.int64), 0, _LARGEST_WINDOW
    while open_games.size or coming < len(duels):
        until = min(coming + max(window - open_games.size, 0), len(duels))
        open_games = np.concatenate((open_games, np.arange(coming, until)))
        coming = until
        ready = _find_ready(stream.players.take(open_games, axis=1), place)
        wave = open_games[ready]
        window = _next_window(window, wave.size / open_games.size)
        if wave.size < _SMALLEST_WAVE:
            stream.play_one_by_one(open_games)
            open_games = open_games[:0]
        else:
            stream.play_wave(wave)
            open_games = open_games[~ready]


def _next_window(window: int, share_ready: float) -> int:
    """Look ahead less where most games wait for another, more where few do."""
    if share_ready < _WIDEN / 2:
        return max(window // 2, _SMALLEST_WINDOW)
    return min(window * 2, _LARGEST_WINDOW) if share_ready > _WIDEN else window


def _find_ready(players: Ints, place: Ints) -> Bools:
    """Which games are the first open one of both their players; `place` is scratch of length n."""
    order = np.arange(players.shape[1])
    # Of repeated positions the last assignment stays, so the earliest game is written last.
    place[players.T[::-1].ravel()] = np.repeat(order[::-1], 2)
    ready: Bools = (place[players] == order).all(axis=0)
    return ready


class _Stream:
    """The games and the figures they change."""

    def __init__(
        self,
        parameters: EloParameters,
        table: Table,
        duels: Duels,
        all_count: bool,
        journal: Journal | None,
    ) -> None:
        self.parameters = parameters
        self.table = table
        self.players = np.stack((duels.first, duels.second))
        self.score = duels.score
        self.all_count = all_count
        self.journal = journal

    def play_wave(self, games: Ints) -> None:
        """Play games that share no player, as arrays."""
        table, pairs = self.table, self.players.take(games, axis=1)
        before, status = table.value[pairs], table.status[pairs]
        expected, k, after = rate_games(self.parameters, before, status, self.score[games])
        counts = self.all_count | (status[::-1] == Status.ESTABLISHED)
        counted = table.counted[pairs] + counts
        table.value[pairs] = after
        table.counted[pairs] = counted
        table.status[pairs] = 1 + (counted >= self.parameters.established_after)
        if self.journal is not None:
            figures = np.stack((before, expected, k, after))
            self.journal.rows[games] = figures.transpose(2, 0, 1)
            self.journal.statuses[games] = status.T

    def play_one_by_one(self, games: Ints) -> None:
        """Play games in their order in plain Python."""
        pairs, score = self.players.take(games, axis=1), self.score[games]
        played, statuses = play_one_by_one(
            self.parameters, self.table, pairs, score, self.all_count
        )
        if self.journal is not None:
            self.journal.rows[games] = np.array(played).reshape(-1, 4, 2)
            self.journal.statuses[games] = np.array(statuses, dtype=np.int8)
