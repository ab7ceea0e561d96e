"""Duels one after the other, fast: a stream cut into waves of games that share no player.

A *wave* is played as arrays: nobody appears in it twice, so its games cannot influence each other.
Every game waits for the games before it of both its players. Of a window of games these chains are
found by one sort; after a wave only the games that follow its games are looked at again.

Where few players play many games waves get thin, and what is left is played one by one. Both ways
keep the order of each player's games, so a stream whose two ways are equal to the bit is rated
exactly as game by game.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ratings.systems.arrays import Bools, Ints

__all__ = ["Stream", "play_in_waves"]

# Fewer games than this are faster played one by one. Measured, as the window is; other figures
# change the speed, never a rating.
_SMALLEST_WAVE = 75
_WINDOW = 12_288


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


def play_in_waves(stream: Stream, first: Ints, second: Ints) -> None:
    """Play every game of `stream`: positions of both players of each, int64 of length m."""
    for start in range(0, len(first), _WINDOW):
        window = slice(start, start + _WINDOW)
        pairs = np.stack((first[window], second[window]))
        following, is_free = _link(pairs)
        is_left = np.ones(pairs.shape[1], dtype=np.bool_)
        wave = np.flatnonzero(is_free[::2] & is_free[1::2])
        while wave.size >= _SMALLEST_WAVE:
            is_left[wave] = False
            stream.play_wave(wave + start, pairs.take(wave, axis=1))
            # Which games wait no more once this wave is played.
            side = following.take(wave, axis=0).ravel()
            # Most players of a window have no further game in it.
            side = side.take(np.flatnonzero(side < following.size))
            other = side ^ 1
            is_ready = is_free.take(other)
            is_free[side] = True
            # Where both players of a game come out of this wave it is found twice: count it once.
            is_ready |= is_free.take(other) & (side & 1 == 0)
            wave = side.take(np.flatnonzero(is_ready)) >> 1
        if (left := np.flatnonzero(is_left)).size:
            stream.play_one_by_one(left + start, pairs.take(left, axis=1))


def _link(pairs: Ints) -> tuple[Ints, Bools]:
    """Of each side the next side of the same player, and whether its player waits for no game.

    The sides of game g are 2g and 2g + 1; 2w stands for "none". The next ones are of shape (w, 2).
    """
    none = 2 * pairs.shape[1]
    bits = none.bit_length()
    # Players and their sides in one number each, sorted: several times faster than asking for the
    # order (`argsort`), and twice as fast again where the numbers are short.
    is_short = int(pairs.max(initial=0)) >> (32 - bits) == 0
    keys: NDArray[Any] = pairs.astype(np.uint32 if is_short else np.uint64)
    keys <<= bits
    keys += np.arange(0, none, 2, dtype=keys.dtype)
    keys[1] += 1
    keys = keys.ravel()
    keys.sort()
    player = keys >> bits
    # Most players of a window play in it once: only the others' sides are linked.
    again = np.flatnonzero(player[1:] == player[:-1])
    side = keys & ((1 << bits) - 1)
    earlier, later = (side.take(indexes).astype(np.int64) for indexes in (again, again + 1))
    following, is_free = np.full(none, none), np.ones(none, dtype=np.bool_)
    following[earlier] = later
    is_free[later] = False
    return following.reshape(-1, 2), is_free
