"""The best matching there is, for few tickets: as many as can be, the oldest first, at least cost.

Who is matched is decided first: the most there can be, and among all ways to do so the oldest. Then the costs are
lowered for the same tickets. Pairs that cannot be in a matching of least cost are left out before, by bounds from the
assignment problem.
"""

import numpy as np
import scipy  # loads its parts when they are first used: most processes use none

from matchmaking.pairing.duels.augmenting_trees import Tree
from matchmaking.pairing.duels.candidate_graph import Crowd
from matchmaking.pairing.duels.graph_matching import Exchange, match_crowd
from matchmaking.pairing.duels.matching import FREE, Matching
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["can_be_best", "match_exactly", "match_oldest_first"]

_ROUNDS = 20
_UNITS = 1 << 30  # of a second: whole numbers, so that nothing is lost in sums
_ROUNDING = 1e-6  # seconds


def match_exactly(crowd: Crowd) -> Matching:
    """As many as can be, of these the oldest first, and with these the least sum of gaps.

    Oldest first: of two sets that could be matched the better one has the oldest ticket in which
    they differ. Costs are the same when they differ by less than a billionth of a second a pair.
    """
    edges = crowd.around(np.arange(len(crowd)))
    edges = edges[edges[:, 0] < edges[:, 1]]
    matching = match_crowd(crowd)
    _order(crowd, matching, edges)
    Exchange(crowd, matching, edges).improve(rounds=_ROUNDS)
    _cheapen(crowd, matching, edges)
    return matching


def _order(crowd: Crowd, matching: Matching, edges: Ints) -> None:
    neighbours: list[list[int]] = [[] for _ in range(len(crowd))]
    for one, other in edges.tolist():
        neighbours[one].append(other)
        neighbours[other].append(one)
    partner = matching.partner.tolist()
    match_oldest_first(neighbours, partner, crowd.rank.tolist())
    matching.partner[:] = partner


def _cheapen(crowd: Crowd, matching: Matching, edges: Ints) -> None:
    """Pair those matched anew at the least cost."""
    who = np.flatnonzero(matching.partner != FREE)
    if not who.size:
        return
    number = np.full(len(crowd), -1)
    number[who] = np.arange(len(who))
    edges = edges[(matching.partner[edges] != FREE).all(axis=1)]
    gap = crowd.gap(edges[:, 0], edges[:, 1])
    costs = np.full((len(who), len(who)), np.inf)
    one, other = number[edges].T
    costs[one, other] = costs[other, one] = gap
    known = costs[number[who], number[matching.partner[who]]].sum() / 2
    height = crowd.line.rating[who] * crowd.seconds
    kept = can_be_best(costs, height, number[edges], known=float(known))
    for part, worth in _parts(number[edges[kept]], gap[kept], len(who)):
        pairs = _cheapest(part, worth)
        matching.join(who[pairs[:, 0]], who[pairs[:, 1]])


def _cheapest(edges: Ints, gap: Floats) -> Ints:
    """Of a connected graph the edges of a perfect matching of the least cost."""
    if len(edges) == 1:
        return edges
    import networkx as nx  # large, and most processes never get here

    graph = nx.Graph()
    for (one, other), cost in zip(edges.tolist(), gap.tolist(), strict=True):
        graph.add_edge(one, other, weight=-round(cost * _UNITS))
    return np.array(sorted(nx.max_weight_matching(graph, maxcardinality=True)), dtype=np.int64)


def _parts(edges: Ints, gap: Floats, n: int) -> list[tuple[Ints, Floats]]:
    """The edges and their gaps, the connected parts of the graph apart."""
    part = parts_of(edges, n)[edges[:, 0]]
    order = np.argsort(part, kind="stable")
    cuts = np.flatnonzero(np.diff(part[order])) + 1
    return [(edges[at], gap[at]) for at in np.split(order, cuts)]


def match_oldest_first(neighbours: list[list[int]], partner: list[int], rank: list[int]) -> None:
    """Change `partner`, any matching, so that the list of those matched is the best.

    Sets of places that some matching covers are a matroid: taking the oldest first, whoever can be
    covered together with those taken, leads to the best list, which is of the largest, too.
    """
    for place in sorted(range(len(rank)), key=rank.__getitem__):
        if partner[place] != FREE:
            continue
        tree = Tree(neighbours, partner, place)
        if tree.end >= 0:
            tree.take_path()
        elif (youngest := max(tree.outer(), key=rank.__getitem__)) != place:
            tree.stand_in(youngest)


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
