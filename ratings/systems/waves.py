"""Duels one after the other, fast: a stream cut into waves of games that share no player.

A *wave* takes the first open game of every player, so that nobody appears in it twice: its games
cannot influence each other and are computed as arrays. Where few players play many games waves
get thin, and the open games are played one by one. Both ways keep the order of each player's
games, so a stream whose two ways are equal to the bit is rated exactly as game by game.
"""

from typing import Protocol

import numpy as np

from ratings.systems.arrays import Bools, Ints

__all__ = ["Stream", "play_in_waves"]

# Fewer games than this are faster played one by one. Measured, as the window's limits are; other
# figures change the speed, never a rating.
_SMALLEST_WAVE = 40
_SMALLEST_WINDOW, _LARGEST_WINDOW = 256, 16_384
_WIDEN = 0.5


class Stream(Protocol):
    """Games and the figures they change, played in parts.

    `games` are the positions of w games in the stream, `players` is int64 of shape (2, w): whom
    they name. A game that shares a player with an earlier one is never played before it.
    """

    def play_wave(self, games: Ints, players: Ints) -> None:
        """Play games of which no two share a player, as arrays."""

    def play_one_by_one(self, games: Ints, players: Ints) -> None:
        """Play games in the order given."""


def play_in_waves(stream: Stream, players: Ints, n: int) -> None:
    """Play every game of `stream`: `players`, shape (2, m), are positions below `n`."""
    place = np.zeros(n, dtype=np.int64)
    games, coming, window = np.empty(0, dtype=np.int64), 0, _LARGEST_WINDOW
    total = players.shape[1]
    while games.size or coming < total:
        until = min(coming + max(window - games.size, 0), total)
        games = np.concatenate((games, np.arange(coming, until)))
        coming = until
        pairs = players.take(games, axis=1)
        ready = _find_ready(pairs, place)
        count = np.count_nonzero(ready)
        window = _next_window(window, count / games.size)
        if count < _SMALLEST_WAVE:
            stream.play_one_by_one(games, pairs)
            games = games[:0]
        else:
            stream.play_wave(games[ready], pairs[:, ready])
            games = games[~ready]


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
