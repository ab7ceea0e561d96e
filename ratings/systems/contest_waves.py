"""Games of any number of players cut into waves, within which nobody plays twice.

Every game waits for the games before it of all its players. These chains are found at once for all games; after a
wave only the games that follow its games are looked at again.
"""

from collections.abc import Iterator

import numpy as np
import scipy  # loads its parts when they are first used: most processes use none

from ratings.systems.arrays import Ints

__all__ = ["find_waves", "stretches"]

# Rows looked at together, and the thinnest wave worth the while where more is to come. Measured;
# other figures change the speed, never a rating.
_WINDOW, _SMALLEST_WAVE = 65_536, 64
# So many players for each row, most of whom do not play, are numbered anew.
_MOST_IDLE = 4
# Fewer rows than this are sorted.
_FEW = 4096


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
    games, sizes = len(starts) - 1, np.diff(starts)
    following = _following_games(sizes, players)
    waiting = np.bincount(following, minlength=games + 1)
    waiting[games] = len(players) + 1  # the game that follows nobody's last game waits for ever
    ready, until, left = np.empty(0, dtype=np.int64), 0, 0
    while ready.size or until < games:
        # Waves as thin as can be once nothing comes after them, or too little has room.
        is_thin = ready.size < _SMALLEST_WAVE and 2 * left <= _WINDOW
        if until < games and (is_thin or not ready.size):
            # The game up to which the window has room: one more at least.
            coming = until
            rows = int(starts[coming]) + max(_WINDOW - left, 0)
            until = max(int(np.searchsorted(starts, rows, side="right")) - 1, coming + 1)
            left += int(starts[until] - starts[coming])
            free = np.flatnonzero(waiting[coming:until] == 0)
            free += coming
            ready = np.concatenate((ready, free))
            continue
        yield ready
        first = starts.take(ready)
        rows_of_wave = stretches(first, starts.take(ready + 1) - first)
        left -= rows_of_wave.size
        next_ones = following.take(rows_of_wave)
        np.subtract.at(waiting, next_ones, 1)
        # A game that several rows led to is there several times: count it once.
        next_ones = next_ones[waiting.take(next_ones) == 0]
        next_ones.sort()
        is_first = np.ones(next_ones.size, dtype=np.bool_)
        np.not_equal(next_ones[1:], next_ones[:-1], out=is_first[1:])
        ready = next_ones[is_first]
        ready = ready[: np.searchsorted(ready, until)]


def _following_games(sizes: Ints, players: Ints) -> Ints:
    """Of each row the next game of its player: m, the number of games, where there is none."""
    rows, games = len(players), len(sizes)
    following = np.full(rows, games)
    if rows < _FEW:
        row = np.argsort(players, kind="stable")
        ends = np.flatnonzero(np.diff(players.take(row), append=-1)) + 1
    else:
        if int(players.max()) > _MOST_IDLE * rows:
            players = np.unique(players, return_inverse=True)[1]
        # A sparse matrix of players and rows comes into the order of the players by counting: twice
        # as fast as sorting.
        shape = int(players.max()) + 1, rows
        entries = np.zeros(rows, dtype=np.int8), (players, np.arange(rows))
        matrix = scipy.sparse.coo_array(entries, shape=shape).tocsr()
        row, ends = matrix.indices, matrix.indptr[1:]
    following[row[:-1]] = np.repeat(np.arange(games), sizes).take(row[1:])
    # Who has no row ends where somebody else does: that row is the last of its player as well.
    following[row.take(ends - 1)] = games
    return following
