"""From any matching to a maximal one that no short path improves, and in which nobody older waits for a younger.

The edges of a free vertex lead to paired ones. Pairs are split between two free vertices, and longer paths between
free vertices are matched anew: two more are matched. A free vertex that has waited longer than the partner of a
neighbour takes that partner's place. All of this improves the list of those matched, oldest first, at the first place
at which the list changes: so it ends.

An alternating path goes from a free vertex to a paired one, to its partner, to another paired one, to its partner, …,
to a free vertex. Pairing its steps the other way round matches both ends. Trees of paths grow from all free vertices at
once, each pair in one tree at most; where two trees touch there is a path, and paths of different trees share no
vertex.
(Edmonds 1965, without shrinking odd circles.)
"""

import numpy as np

from matchmaking.pairing.duels.matching import FREE, Graph, Matching, choose_best_first
from ratings.systems.arrays import Ints

__all__ = ["augment", "complete", "match_along_paths", "split_pairs"]

_NONE = -1


def augment(graph: Graph, matching: Matching, near: Ints, *, depth: int) -> None:
    """Complete the matching, then match free vertices until none could gain by one swap.

    near, depth  as for `match_along_paths`
    """
    while True:
        complete(graph, matching)
        free = matching.free()
        edges = graph.around(free)
        if split_pairs(graph, matching, edges):
            continue
        if match_along_paths(graph, matching, edges, near, depth=depth):
            continue
        # Let free vertices take those of partners who have waited less: the oldest first, and each by
        # the swap that costs least.
        edges = graph.outlasting(edges, free, matching.partner)
        seeker, neighbour = edges.T
        dropped = matching.partner[neighbour]
        loss = graph.cost(seeker, neighbour) - graph.cost(neighbour, dropped)
        order = np.lexsort((loss, graph.rank[seeker]))
        order = order[np.diff(seeker[order], prepend=-1) != 0]
        claims = np.stack((seeker, neighbour, dropped), axis=1)[order]
        chosen = claims[choose_best_first(claims, size=len(graph))]
        if not len(chosen):
            return
        matching.join(chosen[:, 0], chosen[:, 1])
        matching.release(chosen[:, 2])


def complete(graph: Graph, matching: Matching) -> None:
    """Pair free vertices, best first, until no two of them accept each other, however far apart."""
    while (free := matching.free()).size > 1:
        edges = graph.nearest(free)
        if not len(edges):
            return
        edges = edges[np.argsort(graph.cost(edges[:, 0], edges[:, 1]), kind="stable")]
        chosen = edges[choose_best_first(edges, size=len(graph))]
        matching.join(chosen[:, 0], chosen[:, 1])


def split_pairs(graph: Graph, matching: Matching, edges: Ints) -> bool:
    """Split pairs that can play a free vertex each, cheapest first; whether there was any.

    edges  (m, 2), from every free vertex to every paired one where the two accept each other
    """
    # For each vertex the free one of the lowest cost, and the next.
    order = np.lexsort((graph.cost(edges[:, 0], edges[:, 1]), edges[:, 1]))
    seeker, neighbour = edges[order].T
    is_best = np.diff(neighbour, prepend=_NONE) != 0
    is_next = ~is_best & np.concatenate(([False], is_best[:-1]))
    best, next_best = np.full((2, len(graph)), _NONE, dtype=np.int64)
    best[neighbour[is_best]] = seeker[is_best]
    next_best[neighbour[is_next]] = seeker[is_next]
    # Where the same one is the best of both, one of the two must do with the next best.
    lower, upper = matching.pairs()
    choices = ((best, best), (best, next_best), (next_best, best))
    claims = np.concatenate(
        [np.stack((one[lower], lower, upper, two[upper]), axis=1) for one, two in choices]
    )
    one, two = claims[:, 0], claims[:, 3]
    claims = claims[(one != _NONE) & (two != _NONE) & (one != two)]
    cost = graph.cost(claims[:, 0], claims[:, 1]) + graph.cost(claims[:, 2], claims[:, 3])
    claims = claims[np.argsort(cost, kind="stable")]
    chosen = claims[choose_best_first(claims, size=len(graph))]
    matching.join(chosen[:, 0], chosen[:, 1])
    matching.join(chosen[:, 2], chosen[:, 3])
    return bool(len(chosen))


def match_along_paths(
    graph: Graph, matching: Matching, edges: Ints, near: Ints, *, depth: int
) -> bool:
    """Match free vertices along paths through at most 2 · `depth` pairs; whether there was any.

    edges  (m, 2), from every free vertex to every paired one where the two accept each other
    near   (m, 2), other vertices that accept each other, for the steps between pairs
    """
    if (edges[:1, 0] == edges[:, 0]).all():  # a path needs a free vertex at either end
        return False
    # Of each vertex that a path can end at: the free one it comes from, and the end before. Between
    # the two lies the partner of the end.
    root, before = np.full((2, len(graph)), _NONE, dtype=np.int64)
    free = matching.free()
    root[free] = free
    both_ways = np.concatenate((near, near[:, ::-1]))
    for number in range(depth):
        steps = both_ways if number else edges
        steps = steps[root[steps[:, 0]] != _NONE]
        end = matching.partner[steps[:, 1]]
        is_new = (end != FREE) & (root[steps[:, 1]] == _NONE) & (root[end] == _NONE)
        steps, end = steps[is_new], end[is_new]
        pair = np.minimum(steps[:, 1], end)
        order = np.lexsort((graph.cost(steps[:, 0], steps[:, 1]), pair))
        order = order[np.diff(pair[order], prepend=_NONE) != 0]
        start, end = steps[order, 0], end[order]
        root[end], before[end] = root[start], start
        if number and not order.size:
            break
    # Pair along the paths that the best of the steps between two trees close.
    steps = np.concatenate((edges, near))
    roots = root[steps]
    closes = (roots != _NONE).all(axis=1) & (roots[:, 0] != roots[:, 1])
    steps, roots = steps[closes], roots[closes]
    order = np.argsort(graph.cost(steps[:, 0], steps[:, 1]), kind="stable")
    chosen = steps[order[choose_best_first(roots[order], size=len(graph))]]
    partner = matching.partner.copy()
    matching.join(chosen[:, 0], chosen[:, 1])
    ends = chosen.ravel()
    while (ends := ends[partner[ends] != FREE]).size:
        matching.join(partner[ends], before[ends])
        ends = before[ends]
    return bool(len(chosen))
