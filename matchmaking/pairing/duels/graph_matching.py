"""Pairing by any conditions.

1. Neighbours of each strand are paired, as chains of neighbours are (`by_rating`). 2. `improve.settle` pairs whoever is
left, finds more matches along short paths, and lets the older in for the younger. 3. `Exchange` lowers the costs. 4. As
that may have given somebody a younger partner, settle again.
"""

import numpy as np

from matchmaking.pairing.duels.by_rating import pairs_with_next
from matchmaking.pairing.duels.candidate_graph import Crowd
from matchmaking.pairing.duels.improve import settle
from matchmaking.pairing.duels.matching import FREE, Matching, choose_best_first
from ratings.systems.arrays import Floats, Ints

__all__ = ["Exchange", "match_crowd"]

# As in `by_rating`: how far paths and exchanges look in a strand, and how long they may get.
_REACH, _DEPTH, _ROUNDS = 8, 4, 8
_WORTH = 1e-9  # seconds: less is a matter of rounding


def match_crowd(crowd: Crowd) -> Matching:
    """A maximal matching in which no younger ticket stands where one swap would let in an older."""
    matching = Matching(len(crowd))
    pair_in_strands(crowd, matching)
    near = crowd.near(reach=_REACH)
    settle(crowd, matching, near, depth=_DEPTH)
    Exchange(crowd, matching, near).improve(rounds=_ROUNDS)
    settle(crowd, matching, near, depth=_DEPTH)
    return matching


def pair_in_strands(crowd: Crowd, matching: Matching) -> None:
    """Pair off the chains of free places of every strand, then the chains of those left, and so on.

    Whoever stands in several strands is paired in the longest of them: there the neighbours are
    nearest.
    """
    strands = crowd.leaning.apart()
    while True:
        among = strands.only(matching.partner == FREE)
        lower, upper = among.place[:-1], among.place[1:]
        linked = among.strand[:-1] == among.strand[1:]
        asked = np.flatnonzero(linked)
        linked[asked] = crowd.allows(lower.take(asked), upper.take(asked))
        if not linked.any():
            return
        first = np.flatnonzero(pairs_with_next(crowd.rank.take(among.place), linked))
        matching.join(among.place.take(first), among.place.take(first + 1))


class Exchange:
    """Changes partners along `near`, (m, 2) places that accept each other.

    Nobody is matched or dropped by it, and nobody's partner changes without gain.
    """

    def __init__(self, crowd: Crowd, matching: Matching, near: Ints) -> None:
        self.crowd, self.matching = crowd, matching
        near = near[(matching.partner.take(near) != FREE).all(axis=1)]
        gap = crowd.gap(near[:, 0], near[:, 1])
        from_, to = np.concatenate((near, near[:, ::-1])).T
        gap = np.concatenate((gap, gap))
        order = np.lexsort((gap, from_))
        self.from_, self.to, self.gap = from_.take(order), to.take(order), gap.take(order)
        self.starts = np.searchsorted(self.from_, np.arange(len(crowd) + 1))

    def improve(self, *, rounds: int) -> None:
        """Change partners in twos, then in threes, then in twos again."""
        self._repeat_twos(rounds)
        if self._threes():
            self._repeat_twos(rounds)

    def _repeat_twos(self, rounds: int) -> None:
        steps = np.flatnonzero(self.from_ < self.to)
        for _ in range(rounds):
            before = self.matching.partner.copy()
            if not self._twos(steps):
                return
            # What two places gain together changes with their partners alone.
            changed = before != self.matching.partner
            steps = steps[changed.take(self.from_.take(steps)) | changed.take(self.to.take(steps))]

    def _twos(self, steps: Ints) -> bool:
        """a–b and c–d become a–c and b–d, where a–c is near."""
        partner, paid = self.matching.partner, self._paid()
        a, c = self.from_.take(steps), self.to.take(steps)
        room = paid.take(a) + paid.take(c) - self.gap.take(steps)
        kept = np.flatnonzero(room > _WORTH)
        a, c = a.take(kept), c.take(kept)
        return self._close((a, partner.take(a), c, partner.take(c)), room.take(kept))

    def _threes(self) -> bool:
        """a–b, c–d and e–f become a–c, d–e and f–b, where a–c and d–e are near."""
        partner, paid = self.matching.partner, self._paid()
        saved = paid.take(self.from_) - self.gap
        steps = np.flatnonzero((saved > _WORTH) & (partner.take(self.from_) != self.to))
        a, c = self.from_.take(steps), self.to.take(steps)
        d = partner.take(c)
        counts = self.starts.take(d + 1) - self.starts.take(d)
        before = np.cumsum(counts) - counts
        nexts = np.arange(counts.sum()) + np.repeat(self.starts.take(d) - before, counts)
        saved = np.repeat(saved.take(steps) + paid.take(c), counts) - self.gap.take(nexts)
        e, a, c = self.to.take(nexts), np.repeat(a, counts), np.repeat(c, counts)
        kept = np.flatnonzero((saved > _WORTH) & (e != a) & (e != c) & (e != partner.take(a)))
        a, c, e = a.take(kept), c.take(kept), e.take(kept)
        claims = (a, partner.take(a), c, partner.take(c), e, partner.take(e))
        return self._close(claims, saved.take(kept) + paid.take(e))

    def _close(self, claims: tuple[Ints, ...], room: Floats) -> bool:
        """Pair the second of the claims with the last, and those between with each other, where
        that costs less than `room`; the best first. Whether there was any.
        """
        first, last = claims[1], claims[-1]
        able = np.flatnonzero((room - self.crowd.least_gap(first, last) > _WORTH) & (first != last))
        able = able[self.crowd.allows(first.take(able), last.take(able))]
        gain = room.take(able) - self.crowd.gap(first.take(able), last.take(able))
        best = np.argsort(-gain, kind="stable")
        best = best[: np.count_nonzero(gain > _WORTH)]
        rows = np.stack(claims, axis=1).take(able.take(best), axis=0)
        chosen = rows[choose_best_first(rows, size=len(self.crowd))]
        self.matching.join(chosen[:, 0], chosen[:, 2])
        for place in range(3, len(claims) - 1, 2):
            self.matching.join(chosen[:, place], chosen[:, place + 1])
        self.matching.join(chosen[:, -1], chosen[:, 1])
        return bool(len(chosen))

    def _paid(self) -> Floats:
        """What each place has in its pair now; 0 for those without one."""
        lower, upper = self.matching.pairs()
        paid = np.zeros(len(self.crowd))
        paid[lower] = paid[upper] = self.crowd.gap(lower, upper)
        return paid
