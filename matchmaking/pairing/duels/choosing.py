"""Taking changes best first, where each change claims places and no place can be claimed twice."""

import numpy as np

from ratings.systems.arrays import Bools, Ints

__all__ = ["choose_best_first"]

# Rounds over arrays pay while they settle this share of what is open; other figures change the
# speed, never the choice.
_LEAST_OPEN, _LEAST_SHARE = 200, 0.02


def choose_best_first(claims: Ints, *, size: int) -> Ints:
    """Indices of the changes taken, of (m, k) `claims` to places below `size`, best first.

    The same as walking down the list and taking whatever claims no taken place. It is done in
    rounds: a change that is the first open one at all its places is taken whatever the others do.
    """
    taken, first_at = np.zeros(size, dtype=np.bool_), np.empty(size, dtype=np.int64)
    is_chosen = np.zeros(len(claims), dtype=np.bool_)
    open_changes, settled = np.arange(len(claims)), 1.0
    while open_changes.size > _LEAST_OPEN and settled > _LEAST_SHARE:
        rows = claims[open_changes]
        is_first = _find_first(rows, first_at)
        is_chosen[open_changes[is_first]] = True
        taken[rows[is_first]] = True
        still = open_changes[~taken[rows].any(axis=1)]
        settled, open_changes = 1 - still.size / open_changes.size, still
    _walk(claims, open_changes, taken, is_chosen)
    return np.flatnonzero(is_chosen)


def _find_first(rows: Ints, first_at: Ints) -> Bools:
    """Which rows come first at all their places; `first_at` is scratch of one entry a place."""
    order = np.arange(len(rows))
    # Of repeated places the last assignment stays, so the best row is written last.
    first_at[rows[::-1].ravel()] = np.repeat(order[::-1], rows.shape[1])
    is_first: Bools = (first_at[rows] == order[:, np.newaxis]).all(axis=1)
    return is_first


def _walk(claims: Ints, open_changes: Ints, taken: Bools, is_chosen: Bools) -> None:
    gone = set(np.flatnonzero(taken).tolist()) if open_changes.size else set()
    for change, places in zip(open_changes.tolist(), claims[open_changes].tolist(), strict=True):
        if gone.isdisjoint(places):
            gone.update(places)
            is_chosen[change] = True
