"""Duels one after the other, fast: a stream cut into waves of games that share no player.

A *wave* is played as arrays: nobody appears in it twice, so its games cannot influence each other.
Every game waits for the games before it of both its players. Of a window of games these chains are
found by one sort; after a wave only the games that follow its games are looked at again.

Where few players play many games waves get thin, and what is left is played one by one. Both ways
keep the order of each player's games, so a stream whose two ways are equal to the bit is rated
exactly as game by game.
"""

from typing import Protocol

import numpy as np

from ratings.systems.arrays import Bools, Ints

__all__ = ["Stream", "play_in_waves"]

# Fewer games than this are faster played one by one. Measured, as the window is; other figures
# change the speed, never a rating.
_SMALLEST_WAVE = 120
_WINDOW = 8192


class Stream(Protocol):
    """Games and the figures they change, played in parts.

    `games` are the positions of w games in the stream, `players` is int64 of shape (2, w): whom
    they name, the first players and the second ones. A game that shares a player with an earlier
    one is never played before it.
    """

    def play_wave(self, games: Ints, players: Ints) -> None:
        """Play games of which no two share a player, as arrays."""

    def play_one_by_one(self, games: Ints, players: Ints) -> None:
        """Play games in the order given."""


def play_in_waves(stream: Stream, players: Ints) -> None:
    """Play every game of `stream`; `players`, shape (2, m), are positions of players."""
    games, coming, total = np.empty(0, dtype=np.int64), 0, players.shape[1]
    while games.size or coming < total:
        until = min(coming + _WINDOW - games.size, total)
        games = np.concatenate((games, np.arange(coming, until)))
        coming = until
        pairs = players.take(games, axis=1)
        left = _play_window(stream, games, pairs)
        if coming == total or left.size > _WINDOW // 2:
            stream.play_one_by_one(games.take(left), pairs.take(left, axis=1))
            left = left[:0]
        games = games.take(left)


def _play_window(stream: Stream, games: Ints, pairs: Ints) -> Ints:
    """Play waves while they are worth it; the places of the games left, in their order."""
    following, is_free = _link(pairs)
    is_left = np.ones(games.size, dtype=np.bool_)
    wave = np.flatnonzero(is_free[:-2:2] & is_free[1:-2:2])
    while wave.size >= _SMALLEST_WAVE:
        is_left[wave] = False
        stream.play_wave(games.take(wave), pairs.take(wave, axis=1))
        wave = _find_next(wave, following, is_free)
    return np.flatnonzero(is_left)


def _link(pairs: Ints) -> tuple[Ints, Bools]:
    """Of each seat the next seat of the same player, and whether its player waits for no game.

    The seats of game g are 2g and 2g + 1; 2w stands for "none" and is never free.
    """
    none = 2 * pairs.shape[1]
    bits = none.bit_length()
    # Sorted by player, then seat: several times faster than asking for the order (`argsort`).
    keys = (pairs.T << bits).ravel()
    keys |= np.arange(none)
    keys.sort()
    seat = keys & ((1 << bits) - 1)
    keys >>= bits
    is_same = keys[1:] == keys[:-1]
    following, is_free = np.full(none + 2, none), np.ones(none + 2, dtype=np.bool_)
    following[seat[:-1]] = np.where(is_same, seat[1:], none)
    is_free[seat[1:]] = ~is_same
    is_free[none:] = False
    return following, is_free


def _find_next(wave: Ints, following: Ints, is_free: Bools) -> Ints:
    """Which games wait no more once `wave` is played; notes in `is_free` who waits no more."""
    seat = following.take(np.concatenate((2 * wave, 2 * wave + 1)))
    other = seat ^ 1
    is_ready = is_free.take(other)
    is_free[seat] = True
    # Where both players of a game come out of this wave it is found twice: count it once.
    is_ready |= is_free.take(other) & (seat & 1 == 0)
    return seat[is_ready] >> 1
