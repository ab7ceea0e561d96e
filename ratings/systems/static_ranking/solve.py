"""The least-squares ranking: one sparse linear system, solved for each component at once."""

import numpy as np
import scipy  # loads its parts when they are first used: most processes use none

from ratings.systems.arrays import Floats, Ints
from ratings.systems.static_ranking.matrix import Pairs

__all__ = ["components_of", "least_squares", "shortcut"]

# Beyond this a direct solution may need much memory, where players met criss-cross.
_DIRECT = 2_000
_TOLERANCE = 1e-13


def components_of(pairs: Pairs, n: int) -> Ints:
    """Which players are connected by a chain of pairs that met: int64, 0 for the largest group."""
    links = scipy.sparse.csr_array((np.ones(len(pairs)), (pairs.first, pairs.second)), shape=(n, n))
    count, label = scipy.sparse.csgraph.connected_components(links, directed=False)
    sizes = np.bincount(label, minlength=count)
    number = np.empty(count, dtype=np.int64)
    number[np.argsort(-sizes, kind="stable")] = np.arange(count)
    numbered: Ints = number[label]
    return numbered


def least_squares(pairs: Pairs, component: Ints, weight: Floats) -> Floats:
    """g that minimises Σ weight (g_i - g_j - d_ij)², with sum 0 in each component: length n."""
    n = len(component)
    value = np.zeros(n)
    if len(pairs):
        # One player of each component stays at 0, which leaves one solution.
        free = np.ones(n, dtype=np.bool_)
        free[np.unique(component, return_index=True)[1]] = False
        rows = np.concatenate((pairs.first, pairs.second))
        columns = np.concatenate((pairs.second, pairs.first))
        both = np.concatenate((weight, weight))
        links = scipy.sparse.csr_array((both, (rows, columns)), shape=(n, n))
        degrees = scipy.sparse.diags_array(np.bincount(rows, weights=both, minlength=n))
        matrix = scipy.sparse.csr_array(degrees - links)[free][:, free]
        right, found = _pull(pairs, weight, n)[free], None
        if len(right) > _DIRECT:
            scaled = scipy.sparse.diags_array(1 / matrix.diagonal())
            found, missed = scipy.sparse.linalg.cg(
                matrix, right, rtol=_TOLERANCE, maxiter=2 * len(right), M=scaled
            )
            found = found if missed == 0 else None
        if found is None:
            found = scipy.sparse.linalg.spsolve(matrix.tocsc(), right)
        value[free] = np.atleast_1d(found)
    mean = np.bincount(component, weights=value) / np.maximum(np.bincount(component), 1)
    centred: Floats = value - mean[component]
    return centred


def shortcut(pairs: Pairs, n: int) -> Floats:
    """The source's shortcut: Σ_j d_ij over opponents met, divided by their number + 1."""
    met = np.bincount(pairs.first, minlength=n) + np.bincount(pairs.second, minlength=n)
    value: Floats = _pull(pairs, np.ones(len(pairs)), n) / (met + 1)
    return value


def _pull(pairs: Pairs, weight: Floats, n: int) -> Floats:
    """Σ_j weight · d_ij of each player."""
    pull = weight * pairs.difference
    total: Floats = np.bincount(pairs.first, weights=pull, minlength=n).astype(float)
    return total - np.bincount(pairs.second, weights=pull, minlength=n)
