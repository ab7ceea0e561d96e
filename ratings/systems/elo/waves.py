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

# A wave costs about as much as this many games played one by one, and its search one game for
# so many open ones. Measured; other figures change the speed, never a rating.
_WORTH_A_WAVE = 40
_SEARCHED_PER_GAME = 500
_SMALLEST_WINDOW, _LARGEST_WINDOW = 1024, 65_536


def play_in_waves(
    parameters: EloParameters,
    table: Table,
    duels: Duels,
    *,
    all_count: bool,
    journal: Journal | None = None,
) -> None:
    """Play every game in the order given, writing into `table` and, if given, `journal`."""
    players = np.stack((duels.first, duels.second))
    window = min(max(len(table.value) // 2, _SMALLEST_WINDOW), _LARGEST_WINDOW)
    place = np.zeros(len(table.value), dtype=np.int64)
    open_games, coming = np.empty(0, dtype=np.int64), 0
    while open_games.size or coming < len(duels):
        until = min(coming + window - open_games.size, len(duels))
        open_games = np.concatenate((open_games, np.arange(coming, until)))
        coming = until
        ready = _find_ready(players[:, open_games], place)
        wave = open_games[ready]
        if wave.size < _WORTH_A_WAVE + open_games.size // _SEARCHED_PER_GAME:
            play_one_by_one(
                parameters,
                table,
                players[:, open_games],
                duels.score[open_games],
                all_count=all_count,
                games=open_games,
                journal=journal,
            )
            open_games = open_games[:0]
        else:
            _play_wave(parameters, table, players, duels, wave, all_count, journal)
            open_games = open_games[~ready]


def _find_ready(players: Ints, place: Ints) -> Bools:
    """Which games are the first open one of both their players; `place` is scratch of length n."""
    order = np.arange(players.shape[1])
    # Of repeated positions the last assignment stays, so the earliest game is written last.
    place[players.T[::-1].ravel()] = np.repeat(order[::-1], 2)
    ready: Bools = (place[players] == order).all(axis=0)
    return ready


def _play_wave(
    parameters: EloParameters,
    table: Table,
    players: Ints,
    duels: Duels,
    wave: Ints,
    all_count: bool,
    journal: Journal | None,
) -> None:
    pairs = players[:, wave]
    before, status = table.value[pairs], table.status[pairs]
    expected, k, after = rate_games(parameters, before, status, duels.score[wave])
    counts = all_count | (status[::-1] == Status.ESTABLISHED)
    counted = table.counted[pairs] + counts
    table.value[pairs] = after
    table.counted[pairs] = counted
    table.status[pairs] = 1 + (counted >= parameters.established_after)
    if journal is not None:
        journal.before[:, wave], journal.expected[:, wave] = before, expected
        journal.weight[:, wave], journal.after[:, wave] = k, after
