"""Which pairs can be in a matching of least cost: bounds from the assignment problem."""

import numpy as np
import scipy  # loads its parts when they are first used: most processes use none

from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["can_be_best", "parts_of"]

_ROUNDING = 1e-6  # seconds


def can_be_best(costs: Floats, height: Floats, edges: Ints, *, known: float) -> Bools:
    """Whether a perfect matching of `known` cost or less can contain each of the edges.

    costs   float64 (k, k), symmetric, inf for those that may not be paired
    height  float64 (k,), ascending; costs are at least the differences of heights
    edges   (m, 2), those of a finite cost

    With prices y of y_i + y_j <= c_ij the cost of a perfect matching is the sum of all prices and
    of c_ij - y_i - y_j, none of them negative, over its pairs. The best prices are those of the
    assignment of everyone to somebody else, which is a matching but for its odd circles.
    """
    possible, before = _within(costs, edges, known), len(edges) + 1
    while (now := int(possible.sum())) < before:
        # Without the pairs ruled out the graph falls into smaller parts, which rule out more.
        before, left = now, np.full_like(costs, np.inf)
        one, other = edges[possible].T
        left[one, other] = left[other, one] = costs[one, other]
        cut = _odd_heights(height, edges[possible])
        rest = known - _total(cut, edges[possible])
        left -= np.abs(cut[:, np.newaxis] - cut)
        possible[possible] = _within(left, edges[possible], rest)
    return possible


def _within(costs: Floats, edges: Ints, known: float) -> Bools:
    prices = _prices(costs)
    one, other = edges.T
    reduced = costs[one, other] - prices[one] - prices[other]
    possible: Bools = reduced <= known - prices.sum() + _ROUNDING
    return possible


def _odd_heights(height: Floats, edges: Ints) -> Floats:
    """For each place how much of the height below it, in its part of the graph, is sure to be paid.

    Below the second, the fourth, … place of a part there is an odd number of places: some pair has
    to reach across that step (an odd set of Edmonds 1965). The other steps count for nothing.
    """
    part = parts_of(edges, len(height))
    order = np.argsort(part, kind="stable")  # within a part heights ascend
    starts = np.flatnonzero(np.diff(part[order], prepend=-1))
    sizes = np.diff(starts, append=len(order))
    number = np.arange(len(order)) - np.repeat(starts, sizes)
    steps = np.diff(height[order], prepend=0.0)
    steps[number % 2 == 0] = 0.0
    total = np.cumsum(steps)
    cut = np.empty(len(height))
    cut[order] = total - np.repeat(total[starts], sizes)
    return cut


def _total(cut: Floats, edges: Ints) -> float:
    """What the odd steps of all parts make together."""
    highest = np.zeros(len(cut))
    np.maximum.at(highest, parts_of(edges, len(cut)), cut)
    return float(highest.sum())


def parts_of(edges: Ints, n: int) -> Ints:
    """The connected part of the graph that each place is in."""
    graph = scipy.sparse.coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n))
    part: Ints = scipy.sparse.csgraph.connected_components(graph, directed=False)[1].astype(
        np.int64
    )
    return part


def _prices(costs: Floats) -> Floats:
    """The mean of the prices of rows and columns of the least assignment."""
    row, column = scipy.optimize.linear_sum_assignment(costs)
    assigned = costs[row, column]
    # The price of row i is a shortest path: u_i <= u_k + c(i, k's column) - c(k, k's column).
    steps = costs[:, column] - assigned
    rows = np.zeros(len(costs))
    for _ in range(len(costs)):
        shorter = (steps + rows).min(axis=1)
        if not (shorter < rows - _ROUNDING * 1e-3).any():
            break
        rows = np.minimum(rows, shorter)
    columns = (costs - rows[:, np.newaxis]).min(axis=0)
    prices: Floats = (rows + columns) / 2
    return prices
