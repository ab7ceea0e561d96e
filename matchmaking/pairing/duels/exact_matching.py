"""The best matching there is, for few tickets: as many as can be, the oldest first, at least cost.

Who is matched is decided first: the most there can be, and among all ways to do so the oldest. Then the costs are
lowered for the same tickets. Pairs that cannot be in a matching of least cost are left out before, by bounds from the
assignment problem.
"""

from collections import deque

import numpy as np
import scipy  # loads its parts when they are first used: most processes use none

from matchmaking.pairing.duels.candidate_graph import CandidateGraph
from matchmaking.pairing.duels.matching import FREE, Matching
from matchmaking.pairing.duels.maximal_matching import lower_costs, match_by_conditions
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["can_be_best", "match_exactly", "match_oldest_first"]

_NONE = -1
_ROUNDS = 20
_UNITS = 1 << 30  # of a second: whole numbers, so that nothing is lost in sums
_ROUNDING = 1e-6  # seconds


def match_exactly(graph: CandidateGraph) -> Matching:
    """As many as can be, of these the oldest first, and with these the least sum of gaps.

    Oldest first: of two sets that could be matched the better one has the oldest ticket in which
    they differ. Costs are the same when they differ by less than a billionth of a second a pair.
    """
    edges = graph.around(np.arange(len(graph)))
    edges = edges[edges[:, 0] < edges[:, 1]]
    matching = match_by_conditions(graph)
    neighbours: list[list[int]] = [[] for _ in range(len(graph))]
    for one, other in edges.tolist():
        neighbours[one].append(other)
        neighbours[other].append(one)
    partner = matching.partner.tolist()
    match_oldest_first(neighbours, partner, graph.rank.tolist())
    matching.partner[:] = partner
    lower_costs(graph, matching, edges, rounds=_ROUNDS)
    # Those matched are numbered anew, and paired anew at the least cost.
    who = np.flatnonzero(matching.partner != FREE)
    if not who.size:
        return matching
    number = np.full(len(graph), -1)
    number[who] = np.arange(len(who))
    edges = edges[(matching.partner[edges] != FREE).all(axis=1)]
    gap = graph.gap(edges[:, 0], edges[:, 1])
    costs = np.full((len(who), len(who)), np.inf)
    edges = number[edges]
    one, other = edges.T
    costs[one, other] = costs[other, one] = gap
    known = costs[number[who], number[matching.partner[who]]].sum() / 2
    height = graph.intervals.rating[who] * graph.seconds
    kept = can_be_best(costs, height, edges, known=float(known))
    edges, gap = edges[kept], gap[kept]
    part = _parts_of(edges, len(who))[edges[:, 0]]
    order = np.argsort(part, kind="stable")
    for at in np.split(order, np.flatnonzero(np.diff(part[order])) + 1):
        pairs = who[_cheapest(edges[at], gap[at])]
        matching.join(pairs[:, 0], pairs[:, 1])
    return matching


def _cheapest(edges: Ints, gap: Floats) -> Ints:
    """Of a connected graph the edges of a perfect matching of the least cost."""
    if len(edges) == 1:
        return edges
    import networkx as nx  # large, and most processes never get here

    graph = nx.Graph()
    for (one, other), cost in zip(edges.tolist(), gap.tolist(), strict=True):
        graph.add_edge(one, other, weight=-round(cost * _UNITS))
    return np.array(sorted(nx.max_weight_matching(graph, maxcardinality=True)), dtype=np.int64)


def match_oldest_first(neighbours: list[list[int]], partner: list[int], rank: list[int]) -> None:
    """Change `partner`, any matching, so that the list of those matched is the best.

    neighbours  of each vertex those that accept it and that it accepts
    partner     of each vertex, FREE for none
    rank        of each vertex, 0 for whoever has waited longest

    Sets of vertices that some matching covers are a matroid: taking the oldest first, whoever can be
    covered together with those taken, leads to the best list, which is of the largest, too.
    """
    for vertex in sorted(range(len(rank)), key=rank.__getitem__):
        if partner[vertex] != FREE:
            continue
        tree = _Tree(neighbours, partner, vertex)
        if (end := tree.grow()) != _NONE:
            tree.take_path(end)
            continue
        # Each outer vertex could be left free instead of this one: the youngest of them is.
        outer = [other for other, is_outer in enumerate(tree.is_outer) if is_outer]
        if (youngest := max(outer, key=rank.__getitem__)) != vertex:
            freed, partner[youngest] = partner[youngest], FREE
            tree.take_path(freed)


class _Tree:
    """All alternating paths from one free vertex, odd circles shrunk to one vertex (Edmonds 1965).

    An *outer* vertex is one that could be left free instead of the root.
    """

    def __init__(self, neighbours: list[list[int]], partner: list[int], root: int) -> None:
        n = len(partner)
        self.neighbours, self.partner, self.root = neighbours, partner, root
        self.base = list(range(n))
        self.before = [_NONE] * n
        self.is_outer = [False] * n
        self.is_outer[root] = True

    def grow(self) -> int:
        """Grow until a free vertex is found, which is returned; -1 if there is none."""
        queue = deque([self.root])
        while queue:
            vertex = queue.popleft()
            for other in self.neighbours[vertex]:
                if self.base[vertex] == self.base[other] or self.partner[vertex] == other:
                    continue
                beside = self.partner[other]
                if other == self.root or (beside != FREE and self.before[beside] != _NONE):
                    queue.extend(self._shrink(vertex, other))
                elif self.before[other] == _NONE:
                    self.before[other] = vertex
                    if beside == FREE:
                        return other
                    self.is_outer[beside] = True
                    queue.append(beside)
        return _NONE

    def _shrink(self, one: int, other: int) -> list[int]:
        """Make the odd circle that the two close one vertex; the vertices that are outer by it."""
        # Where the paths of the two to the root meet is the top of the circle.
        passed, vertex = set[int](), self.base[one]
        while self.partner[vertex] != FREE:
            passed.add(vertex)
            vertex = self.base[self.before[self.partner[vertex]]]
        passed.add(vertex)
        top = self.base[other]
        while top not in passed:
            top = self.base[self.before[self.partner[top]]]
        circle = set[int]()
        for start, end in ((one, other), (other, one)):
            vertex, beyond = start, end
            while self.base[vertex] != top:
                beside = self.partner[vertex]
                circle.update((self.base[vertex], self.base[beside]))
                self.before[vertex] = beyond
                vertex, beyond = self.before[beside], beside
        new = []
        for vertex, base in enumerate(self.base):
            if base in circle:
                self.base[vertex] = top
                if not self.is_outer[vertex]:
                    self.is_outer[vertex] = True
                    new.append(vertex)
        return new

    def take_path(self, vertex: int) -> None:
        """Pair the steps of the path from `vertex` to the root the other way round."""
        while vertex != FREE:
            one = self.before[vertex]
            following = self.partner[one]
            self.partner[vertex], self.partner[one] = one, vertex
            vertex = following


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
        # How much of the height below each vertex, in its part, is sure to be paid: below the second,
        # the fourth, … vertex of a part there is an odd number of vertices, so some pair has to reach
        # across that step (an odd set of Edmonds 1965). The other steps count for nothing.
        part = _parts_of(edges[possible], len(height))
        order = np.argsort(part, kind="stable")  # within a part heights ascend
        starts = np.flatnonzero(np.diff(part[order], prepend=-1))
        sizes = np.diff(starts, append=len(order))
        within = np.arange(len(order)) - np.repeat(starts, sizes)
        steps = np.diff(height[order], prepend=0.0)
        steps[within % 2 == 0] = 0.0
        total = np.cumsum(steps)
        cut, highest = np.empty(len(height)), np.zeros(len(height))
        cut[order] = total - np.repeat(total[starts], sizes)
        np.maximum.at(highest, part, cut)
        left -= np.abs(cut[:, np.newaxis] - cut)
        possible[possible] = _within(left, edges[possible], known - float(highest.sum()))
    return possible


def _within(costs: Floats, edges: Ints, known: float) -> Bools:
    """Which of the edges the prices leave possible: the mean of those of rows and columns of the least assignment."""
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
    prices = (rows + columns) / 2
    one, other = edges.T
    reduced = costs[one, other] - prices[one] - prices[other]
    possible: Bools = reduced <= known - prices.sum() + _ROUNDING
    return possible


def _parts_of(edges: Ints, n: int) -> Ints:
    """The connected part of the graph that each vertex is in."""
    graph = scipy.sparse.coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n))
    part: Ints = scipy.sparse.csgraph.connected_components(graph, directed=False)[1].astype(
        np.int64
    )
    return part
