"""Ids of players to places in arrays. Tables instead of sorting where ids lie close together: many times faster."""

import numpy as np

from ratings.systems.arrays import Ints

__all__ = ["distinct", "players_of", "positions_in"]


def distinct(ids: Ints) -> Ints:
    """Return the sorted distinct ids."""
    low, high = int(np.min(ids, initial=ids[0] if len(ids) else 0)), int(np.max(ids, initial=0))
    if high - low > 4 * len(ids) + 1000:
        return np.unique(ids)
    present = np.zeros(high - low + 1, dtype=bool)
    present[ids - low] = True
    found: Ints = np.flatnonzero(present) + low
    return found if len(ids) else ids


def positions_in(players: Ints, ids: Ints) -> Ints:
    """Return the position of each id in `players`, which are sorted and hold them all."""
    if not len(ids):
        return ids
    low, high = int(players[0]), int(players[-1])
    if high - low > 4 * (len(ids) + len(players)) + 1000:
        return np.searchsorted(players, ids)
    table = np.zeros(high - low + 1, dtype=np.int64)
    table[players - low] = np.arange(len(players))
    found: Ints = table[ids - low]
    return found


def players_of(ids: Ints, n: int) -> tuple[Ints, Ints]:
    """Return who is among `ids`, sorted, and each of them as a position among those. Ids are below n."""
    if len(ids) * 8 < n:
        who, local = np.unique(ids, return_inverse=True)
    else:
        plays = np.zeros(n, dtype=bool)
        plays[ids] = True
        who, local = np.flatnonzero(plays), (np.cumsum(plays) - 1)[ids]
    return who, local
