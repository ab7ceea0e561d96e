"""Pairing one against one, by ratings alone or by any conditions, so that no two of those left accept each other.

Where each ticket and the next one above accept each other they form a *chain*. A chain of an even
number is paired off in one way only: first with second, third with fourth, and so on. In a chain of
an odd number one waits on, the first, third, fifth, …: whoever has waited least of these. That is
the largest matching of the chain, and no other of that size serves older tickets. Among tickets
that all accept each other it has the smallest sum of gaps, too.
"""

import numpy as np

from matchmaking.pairing.duels.augmentation import augment
from matchmaking.pairing.duels.candidate_graph import CandidateGraph
from matchmaking.pairing.duels.interval_graph import IntervalGraph
from matchmaking.pairing.duels.matching import FREE, Graph, Matching, choose_best_first
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = [
    "exchange_partners",
    "lower_costs",
    "match_by_conditions",
    "match_by_rating",
    "pair_chains",
]

# How far paths and exchanges look in the order of ratings, and how long they may get. Measured over
# dense, sparse and mixed queues: twice as much finds next to nothing more. No promise hangs on them.
_REACH, _DEPTH, _ROUNDS = 8, 4, 8
_WORTH = 1e-9  # seconds: less is a matter of rounding


def match_by_rating(graph: IntervalGraph) -> Matching:
    """A maximal matching in which no younger ticket stands where one swap would let in an older.

    Neighbours first, as chains; then whoever is left; then smaller gaps. As that may have given
    somebody a younger partner, the matching is augmented once more.
    """
    matching = Matching(len(graph))
    pair_chains(graph, matching)
    near = graph.near(reach=_REACH)
    augment(graph, matching, near, depth=_DEPTH)
    exchange_partners(graph, matching, near, rounds=_ROUNDS)
    augment(graph, matching, near, depth=_DEPTH)
    return matching


def pair_chains(graph: IntervalGraph, matching: Matching) -> None:
    """Pair off the chains of the free vertices, then the chains of those left, and so on."""
    while (free := matching.free()).size > 1:
        among = graph.only(free)
        linked = among.allows_step(1)
        if not linked.any():
            return
        lower = np.flatnonzero(pairs_with_next(among.rank, linked))
        matching.join(free[lower], free[lower + 1])


def pairs_with_next(rank: Ints, linked: Bools) -> Bools:
    """Whether each vertex is paired with the next above; `linked` says which chains go on to it."""
    vertex = np.arange(len(rank))
    starts = np.flatnonzero(np.concatenate(([True], ~linked)))
    sizes = np.diff(starts, append=len(rank))
    offset = vertex - np.repeat(starts, sizes)
    can_wait = (offset % 2 == 0) & (np.repeat(sizes, sizes) % 2 == 1)
    youngest = np.maximum.reduceat(np.where(can_wait, rank, -1), starts)
    waits = can_wait & (rank == np.repeat(youngest, sizes))
    behind = np.cumsum(waits)  # chains of even size have nobody who waits
    behind -= np.repeat(behind[starts] - waits[starts], sizes)
    pairs: Bools = ~waits & ((offset - behind) % 2 == 0)
    return pairs


def exchange_partners(graph: Graph, matching: Matching, near: Ints, *, rounds: int) -> None:
    """Exchange partners while that makes the two gaps smaller together.

    Tried between `near`, (m, 2) vertices that accept each other. Nobody is matched or dropped by it.
    Ends after `rounds` at the latest.
    """
    one, other = near[(matching.partner[near] != FREE).all(axis=1)].T
    for _ in range(rounds):
        x, y = matching.partner[one], matching.partner[other]
        gain = graph.gap(one, x) + graph.gap(other, y) - graph.gap(one, other) - graph.gap(x, y)
        better = np.flatnonzero((gain > 1e-9) & graph.allows(x, y))
        if not better.size:
            return
        better = better[np.argsort(-gain[better], kind="stable")]
        claims = np.stack((one, other, x, y), axis=1)[better]
        chosen = claims[choose_best_first(claims, size=len(graph))]
        matching.join(chosen[:, 0], chosen[:, 1])
        matching.join(chosen[:, 2], chosen[:, 3])


def match_by_conditions(graph: CandidateGraph) -> Matching:
    """A maximal matching in which no younger ticket stands where one swap would let in an older.

    Neighbours of each block first, as chains are paired by rating; then whoever is left; then lower
    costs. As that may have given somebody a younger partner, the matching is augmented once more.
    """
    matching = Matching(len(graph))
    # Whoever stands in several blocks is paired in the longest of them: there the neighbours are nearest.
    blocks = graph.preferred.longest_only()
    while True:
        among = blocks.only(matching.partner == FREE)
        lower, upper = among.vertex[:-1], among.vertex[1:]
        linked = among.block[:-1] == among.block[1:]
        asked = np.flatnonzero(linked)
        linked[asked] = graph.allows(lower.take(asked), upper.take(asked))
        if not linked.any():
            break
        first = np.flatnonzero(pairs_with_next(graph.rank.take(among.vertex), linked))
        matching.join(among.vertex.take(first), among.vertex.take(first + 1))
    near = graph.near(reach=_REACH)
    augment(graph, matching, near, depth=_DEPTH)
    lower_costs(graph, matching, near, rounds=_ROUNDS)
    augment(graph, matching, near, depth=_DEPTH)
    return matching


def lower_costs(graph: CandidateGraph, matching: Matching, near: Ints, *, rounds: int) -> None:
    """Change partners in twos, then in threes, then in twos again, while that costs less.

    Tried along `near`, (m, 2) vertices that accept each other. Nobody is matched or dropped by it, and
    nobody's partner changes without gain.
    """
    near = near[(matching.partner.take(near) != FREE).all(axis=1)]
    gap = graph.gap(near[:, 0], near[:, 1])
    from_, to = np.concatenate((near, near[:, ::-1])).T
    gap = np.concatenate((gap, gap))
    order = np.lexsort((gap, from_))
    from_, to, gap = from_.take(order), to.take(order), gap.take(order)
    starts = np.searchsorted(from_, np.arange(len(graph) + 1))
    partner = matching.partner
    for is_last in (False, True):
        # a–b and c–d become a–c and b–d, where a–c is near.
        steps = np.flatnonzero(from_ < to)
        for _ in range(rounds):
            before, paid = partner.copy(), _paid(graph, matching)
            a, c = from_.take(steps), to.take(steps)
            room = paid.take(a) + paid.take(c) - gap.take(steps)
            kept = np.flatnonzero(room > _WORTH)
            a, c = a.take(kept), c.take(kept)
            twos = (a, partner.take(a), c, partner.take(c))
            if not _exchange(graph, matching, twos, room.take(kept)):
                break
            # What two vertices gain together changes with their partners alone.
            changed = before != partner
            steps = steps[changed.take(from_.take(steps)) | changed.take(to.take(steps))]
        if is_last:
            return
        # a–b, c–d and e–f become a–c, d–e and f–b, where a–c and d–e are near.
        paid = _paid(graph, matching)
        saved = paid.take(from_) - gap
        steps = np.flatnonzero((saved > _WORTH) & (partner.take(from_) != to))
        a, c = from_.take(steps), to.take(steps)
        d = partner.take(c)
        counts = starts.take(d + 1) - starts.take(d)
        first = starts.take(d) - (np.cumsum(counts) - counts)
        nexts = np.arange(counts.sum()) + np.repeat(first, counts)
        saved = np.repeat(saved.take(steps) + paid.take(c), counts) - gap.take(nexts)
        e, a, c = to.take(nexts), np.repeat(a, counts), np.repeat(c, counts)
        kept = np.flatnonzero((saved > _WORTH) & (e != a) & (e != c) & (e != partner.take(a)))
        a, c, e = a.take(kept), c.take(kept), e.take(kept)
        threes = (a, partner.take(a), c, partner.take(c), e, partner.take(e))
        if not _exchange(graph, matching, threes, saved.take(kept) + paid.take(e)):
            return


def _exchange(
    graph: CandidateGraph, matching: Matching, claims: tuple[Ints, ...], room: Floats
) -> bool:
    """Pair the second of the claims with the last, and those between with each other, where
    that costs less than `room`; the best first. Whether there was any.
    """
    first, last = claims[1], claims[-1]
    able = np.flatnonzero((room - graph.least_gap(first, last) > _WORTH) & (first != last))
    able = able[graph.allows(first.take(able), last.take(able))]
    gain = room.take(able) - graph.gap(first.take(able), last.take(able))
    best = np.argsort(-gain, kind="stable")
    best = best[: np.count_nonzero(gain > _WORTH)]
    rows = np.stack(claims, axis=1).take(able.take(best), axis=0)
    chosen = rows[choose_best_first(rows, size=len(graph))]
    matching.join(chosen[:, 0], chosen[:, 2])
    for column in range(3, len(claims) - 1, 2):
        matching.join(chosen[:, column], chosen[:, column + 1])
    matching.join(chosen[:, -1], chosen[:, 1])
    return bool(len(chosen))


def _paid(graph: CandidateGraph, matching: Matching) -> Floats:
    """What each vertex has in its pair now; 0 for those without one."""
    lower, upper = matching.pairs()
    paid = np.zeros(len(graph))
    paid[lower] = paid[upper] = graph.gap(lower, upper)
    return paid
