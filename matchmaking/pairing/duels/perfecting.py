"""The matching of a crowd that no other betters: in number, then in age, then in cost."""

import numpy as np

from matchmaking.pairing.duels.bounds import can_be_best, parts_of
from matchmaking.pairing.duels.candidate_graph import Crowd
from matchmaking.pairing.duels.graph_finding import match_crowd
from matchmaking.pairing.duels.graph_matching import Exchange
from matchmaking.pairing.duels.matching import FREE, Matching
from matchmaking.pairing.duels.ordering import match_oldest_first
from ratings.systems.arrays import Floats, Ints

__all__ = ["match_exactly"]

_ROUNDS = 20
_UNITS = 1 << 30  # of a second: whole numbers, so that nothing is lost in sums


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
