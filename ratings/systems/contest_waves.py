"""Games of any number of players cut into waves, within which nobody plays twice.

Every game waits for the games before it of all its players. Of a window of games these chains are
found by one sort; after a wave only the games that follow its games are looked at again.
"""

from collections.abc import Iterator

import numpy as np

from ratings.systems.arrays import Ints

__all__ = ["find_waves", "stretches"]

# Rows looked at together, and the thinnest wave worth the while where more is to come. Measured;
# other figures change the speed, never a rating.
_WINDOW, _SMALLEST_WAVE = 65_536, 64


def stretches(starts: Ints, sizes: Ints) -> Ints:
    """start, start + 1, … of each stretch, one after the other."""
    ends = np.cumsum(sizes)
    rows: Ints = np.repeat(starts - ends + sizes, sizes) + np.arange(ends[-1] if len(ends) else 0)
    return rows


def find_waves(starts: Ints, players: Ints) -> Iterator[Ints]:
    """Positions of games, wave by wave: every game once, after all earlier ones of its players.

    starts   int64, length m + 1: the first row of each game, and the number of rows
    players  int64, of each row
    """
    games, coming, sizes = np.empty(0, dtype=np.int64), 0, np.diff(starts)
    while games.size or coming < len(sizes):
        # The game up to which the window has room: one more at least.
        rows = max(_WINDOW - int(sizes[games].sum()), 0)
        until = int(np.searchsorted(starts, starts[coming] + rows, side="right")) - 1
        until = min(max(until, coming + 1), len(sizes))
        games = np.concatenate((games, np.arange(coming, until)))
        coming = until
        window = _Window(sizes[games], players[stretches(starts[games], sizes[games])])
        # Waves as thin as can be once nothing comes after them, or too little has room.
        enough = 0 if coming == len(sizes) else games.size // 2
        wave = window.first()
        while wave.size >= _SMALLEST_WAVE or (wave.size and window.left > enough):
            yield games[wave]
            wave = window.after(wave)
        games = games[window.unplayed()]


class _Window:
    """Games of a window, and what they wait for."""

    def __init__(self, sizes: Ints, players: Ints) -> None:
        self.sizes = sizes
        self.starts = np.cumsum(sizes) - sizes
        # After the last row stands the game that follows nobody's last game: it waits for ever.
        self.game = np.append(np.repeat(np.arange(len(sizes)), sizes), len(sizes))
        # Of each row the next row of the same player; the number of rows where there is none. Sorted by
        # player, then row: several times faster than asking for the order (`argsort`).
        rows = len(players)
        bits = rows.bit_length()
        keys = (players << bits) | np.arange(rows)
        keys.sort()
        row = keys & ((1 << bits) - 1)
        keys >>= bits
        self.following = np.full(rows, rows)
        self.following[row[:-1]] = np.where(keys[1:] == keys[:-1], row[1:], rows)
        awaited = self.game[self.following]
        self.waiting = np.bincount(awaited, minlength=len(sizes) + 1)
        self.waiting[-1] = len(players) + 1
        self.left = len(sizes)
        self.is_left = np.ones(len(sizes), dtype=np.bool_)
        self.is_ready = np.zeros(len(sizes), dtype=np.bool_)

    def first(self) -> Ints:
        """The games that wait for none."""
        return np.flatnonzero(self.waiting == 0)

    def after(self, wave: Ints) -> Ints:
        """The games that wait for none once `wave`, which waited for none, is played."""
        self.is_left[wave] = False
        self.left -= wave.size
        rows = stretches(self.starts[wave], self.sizes[wave])
        next_ones = self.game[self.following[rows]]
        np.subtract.at(self.waiting, next_ones, 1)
        # A game that several rows led to is there several times: count it once.
        self.is_ready[next_ones[self.waiting[next_ones] == 0]] = True
        ready = np.flatnonzero(self.is_ready)
        self.is_ready[ready] = False
        return ready

    def unplayed(self) -> Ints:
        """The games that are left, in their order."""
        return np.flatnonzero(self.is_left)
