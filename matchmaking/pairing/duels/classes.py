"""Classes of tickets, given as bits, as the columns that are worth telling apart."""

import numpy as np

from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["columns_of"]

_BITS = 63


def columns_of(classes: Ints) -> Bools:
    """(n, c) who has each class, without those that another makes needless.

    A class is needless when everyone in it is in another as well: who shares the one shares the
    other. So what nobody names but those who accept anything takes no place.
    """
    kinds, kind = np.unique(classes, return_inverse=True)
    has = (kinds[:, np.newaxis] >> np.arange(_BITS) & 1).astype(np.bool_)
    has = has[:, has.any(axis=0)]
    counts: Floats = has.astype(np.float64)
    both = counts.T @ counts
    size = np.diagonal(both)
    is_within = both == size[:, np.newaxis]
    bit = np.arange(len(size))
    is_smaller = (size[:, np.newaxis] < size) | (
        (size[:, np.newaxis] == size) & (bit[:, np.newaxis] > bit)
    )
    needless = (is_within & is_smaller).any(axis=1)
    found: Bools = has[:, ~needless].take(kind, axis=0)
    return found
