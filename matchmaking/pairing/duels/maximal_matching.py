"""Pairing one against one, by ratings alone or by any conditions, so that no two of those left accept each other.

Where each ticket and the next one above accept each other they form a *chain*. A chain of an even
number is paired off in one way only: first with second, third with fourth, and so on. In a chain of
an odd number one waits on, the first, third, fifth, …: whoever has waited least of these. That is
the largest matching of the chain, and no other of that size serves older tickets. Among tickets
that all accept each other it has the smallest sum of gaps, too.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from matchmaking.pairing.duels.augmentation import augment, complete
from matchmaking.pairing.duels.candidate_graph import CandidateGraph
from matchmaking.pairing.duels.interval_graph import IntervalGraph
from matchmaking.pairing.duels.matching import FREE, Graph, Matching, choose_best_first
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = [
    "StepsByCost",
    "exchange_partners",
    "lower_costs",
    "match_best_first",
    "match_by_conditions",
    "match_by_rating",
    "pair_chains",
]

# How far paths and exchanges look in the order of ratings, and how long they may get. Measured over
# dense, sparse and mixed queues: twice as much finds next to nothing more. No promise hangs on them.
_REACH, _DEPTH, _ROUNDS = 8, 4, 8
_WORTH = 1e-9  # seconds: less is a matter of rounding
# Steps looked at in one go: what is computed of them stays in the processor's cache.
_AT_ONCE = 1 << 14


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


def match_best_first(graph: CandidateGraph) -> Matching:
    """A maximal matching of whoever is best for each other, as few and as old as they may be."""
    matching = Matching(len(graph))
    complete(graph, matching)
    lower_costs(graph, matching, graph.near(reach=_REACH), rounds=_ROUNDS)
    return matching


def lower_costs(graph: CandidateGraph, matching: Matching, near: Ints, *, rounds: int) -> None:
    """Change partners in twos, then in threes, then in twos again, while that costs less.

    Tried along `near`, (m, 2) vertices that accept each other. Nobody is matched or dropped by it, and
    nobody's partner changes without gain.
    """
    near = near[(matching.partner.take(near) != FREE).all(axis=1)]
    steps = StepsByCost.of(graph, near)
    for is_last in (False, True):
        # a–b and c–d become a–c and b–d, where a–c is near.
        open_steps = np.flatnonzero(steps.from_ < steps.to)
        for _ in range(rounds):
            before = matching.partner.copy()
            if not _exchange(graph, matching, steps.twos(graph, matching, open_steps)):
                break
            # What two vertices gain together changes with their partners alone.
            changed = before != matching.partner
            ends = steps.from_.take(open_steps), steps.to.take(open_steps)
            open_steps = open_steps[changed.take(ends[0]) | changed.take(ends[1])]
        # a–b, c–d and e–f become a–c, d–e and f–b, where a–c and d–e are near.
        if is_last or not _exchange(graph, matching, steps.threes(graph, matching)):
            return


# Pairs to be made of what two or three pairs are torn into, (k, 4) or (k, 6): the first with the third, …, and the
# second with the last, each with what the last pair may cost.
_Changes = tuple[Ints, Floats]


@dataclass(frozen=True, slots=True, eq=False)
class StepsByCost:
    """Edges in both directions, by the vertex that they lead from, and of each vertex the cheapest first.

    from_, to  int64 (m,)
    gap        float64 (m,)
    starts     int64 (n + 1,), the first of each vertex, and m
    """

    from_: Ints
    to: Ints
    gap: Floats
    starts: Ints

    @classmethod
    def of(cls, graph: CandidateGraph, near: Ints) -> Self:
        gap = graph.gap(near[:, 0], near[:, 1])
        from_, to = np.concatenate((near, near[:, ::-1])).T
        gap = np.concatenate((gap, gap))
        order = np.lexsort((gap, from_))
        from_ = from_.take(order)
        starts = np.searchsorted(from_, np.arange(len(graph) + 1))
        return cls(from_, to.take(order), gap.take(order), starts)

    def twos(self, graph: CandidateGraph, matching: Matching, chosen: Ints) -> Iterator[_Changes]:
        """Changes of two pairs by these steps, some at a time."""
        partner, paid = matching.partner, _paid(graph, matching)
        for steps in _in_parts(chosen):
            a, c = self.from_.take(steps), self.to.take(steps)
            room = paid.take(a) + paid.take(c) - self.gap.take(steps)
            kept = np.flatnonzero(room > _WORTH)
            a, c = a.take(kept), c.take(kept)
            yield np.stack((a, partner.take(a), c, partner.take(c)), axis=1), room.take(kept)

    def threes(self, graph: CandidateGraph, matching: Matching) -> Iterator[_Changes]:
        """Changes of three pairs by two steps that save something each, some at a time."""
        partner, paid = matching.partner, _paid(graph, matching)
        saves = (paid.take(self.from_) - self.gap > _WORTH) & (partner.take(self.from_) != self.to)
        for steps in _in_parts(np.flatnonzero(saves)):
            a, c = self.from_.take(steps), self.to.take(steps)
            d = partner.take(c)
            room = paid.take(a) - self.gap.take(steps) + paid.take(c)
            first = self.starts.take(d)
            counts = self.cheaper(first, self.starts.take(d + 1), room) - first
            nexts = np.arange(counts.sum()) + np.repeat(
                first - (np.cumsum(counts) - counts), counts
            )
            e, room = self.to.take(nexts), np.repeat(room, counts) - self.gap.take(nexts)
            a, c = np.repeat(a, counts), np.repeat(c, counts)
            kept = np.flatnonzero((e != a) & (e != c) & (e != partner.take(a)))
            a, c, e = a.take(kept), c.take(kept), e.take(kept)
            rows = (a, partner.take(a), c, partner.take(c), e, partner.take(e))
            yield np.stack(rows, axis=1), room.take(kept) + paid.take(e)

    def cheaper(self, start: Ints, stop: Ints, room: Floats) -> Ints:
        """Where the steps from `start` to before `stop` begin to leave nothing of `room`: by halving."""
        low, high = start.copy(), stop.copy()
        while (open_ := low < high).any():
            middle = (low + high) >> 1
            leaves = open_ & (room - self.gap.take(middle, mode="clip") > _WORTH)
            low = np.where(leaves, middle + 1, low)
            high = np.where(open_ & ~leaves, middle, high)
        return low


def _in_parts(steps: Ints) -> Iterator[Ints]:
    return (steps[start : start + _AT_ONCE] for start in range(0, len(steps), _AT_ONCE))


def _exchange(graph: CandidateGraph, matching: Matching, changes: Iterable[_Changes]) -> bool:
    """Make the changes that cost less than they have room for, the best first. Whether there was any."""
    found, gains = list[Ints](), [np.empty(0)]
    for rows, room in changes:
        first, last = rows[:, 1], rows[:, -1]
        able = np.flatnonzero((room - graph.least_gap(first, last) > _WORTH) & (first != last))
        first, last = first.take(able), last.take(able)
        gain = room.take(able) - graph.gap(first, last)
        better = np.flatnonzero(gain > _WORTH)
        better = better[graph.allows(first.take(better), last.take(better))]
        found.append(rows.take(able.take(better), axis=0))
        gains.append(gain.take(better))
    gain = np.concatenate(gains)
    if not len(gain):
        return False
    rows = np.concatenate([rows for rows in found if len(rows)])
    rows = rows.take(np.argsort(-gain, kind="stable"), axis=0)
    chosen = rows[choose_best_first(rows, size=len(graph))]
    matching.join(chosen[:, 0], chosen[:, 2])
    for column in range(3, chosen.shape[1] - 1, 2):
        matching.join(chosen[:, column], chosen[:, column + 1])
    matching.join(chosen[:, -1], chosen[:, 1])
    return True


def _paid(graph: CandidateGraph, matching: Matching) -> Floats:
    """What each vertex has in its pair now; 0 for those without one."""
    lower, upper = matching.pairs()
    paid = np.zeros(len(graph))
    paid[lower] = paid[upper] = graph.gap(lower, upper)
    return paid
