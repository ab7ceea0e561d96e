"""How others decide when to match, on the same arrivals as ours: each gives waits and gaps.

Written anew after what the projects say of themselves, as far as it concerns strangers of equal conduct who play one
against one: no ranges, no blocks, no newcomers.
"""

from collections import deque
from dataclasses import dataclass

import networkx as nx
import numpy as np

from ratings.systems.arrays import Floats, Ints

__all__ = ["Matched", "faforever", "waves", "windows"]


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """Seconds that each matched ticket has waited, and of each match the gap in rating points."""

    waits: Floats
    gaps: Floats

    @property
    def wait(self) -> float:
        """The mean wait."""
        return float(self.waits.mean())

    @property
    def p99(self) -> float:
        """The wait that one in a hundred exceeds."""
        return float(np.quantile(self.waits, 0.99))

    @property
    def gap(self) -> float:
        """The mean gap."""
        return float(self.gaps.mean())


class Room:
    """Who waits, and what came of those who do not any more."""

    def __init__(self, at: Floats, rating: Floats) -> None:
        self.at, self.rating = at, rating
        self.waiting: Ints = np.empty(0, dtype=np.int64)
        self.come = 0
        self._waits: list[Floats] = []
        self._gaps: list[Floats] = []

    def let_in(self, now: float) -> None:
        """Everybody who has come by now waits; the oldest stand first."""
        come = int(np.searchsorted(self.at, now, side="right"))
        self.waiting = np.concatenate((self.waiting, np.arange(self.come, come)))
        self.come = come

    def moment_of(self, further: int) -> float:
        """When so many more will have come; inf: never."""
        last = self.come + further - 1
        return float(self.at[last]) if last < len(self.at) else np.inf

    def match(self, one: Ints, other: Ints, now: float) -> None:
        """Let these two by two go."""
        self._waits.append(now - self.at[np.concatenate((one, other))])
        self._gaps.append(np.abs(self.rating[one] - self.rating[other]))
        self.waiting = self.waiting[~np.isin(self.waiting, np.concatenate((one, other)))]

    def matched(self) -> Matched:
        """All of it."""
        return Matched(np.concatenate(self._waits), np.concatenate(self._gaps))


def windows(at: Floats, rating: Floats, seconds: float, *, every: float) -> Matched:
    """Every so many seconds all who wait are paired as evenly as can be; of an odd number the youngest waits on."""
    room = Room(at, rating)
    for number in range(1, int(seconds / every) + 1):
        room.let_in(number * every)
        paired = room.waiting[: len(room.waiting) // 2 * 2]
        if len(paired):
            ordered = paired[np.argsort(rating[paired])]
            room.match(ordered[::2], ordered[1::2], number * every)
    return room.matched()


_WAVE_SECONDS, _WAVE_PLAYERS = 12.0, 40
_CREDIT, _MOST_CREDIT, _GOOD_CONDUCT = 12, 457, 30


def waves(at: Floats, rating: Floats, seconds: float) -> Matched:
    """lichess: a wave every 12 s or 40 players, as many pairs as can be, of these the least score.

    The score of two is their gap, less 12 points for each wave that both have missed, and 30 as both are of good
    conduct; above a limit, which rises with the weaker rating, they do not meet.
    """
    room, now, missed = Room(at, rating), 0.0, np.zeros(len(at), dtype=np.int64)
    while now < seconds:
        full = room.moment_of(_WAVE_PLAYERS - len(room.waiting))
        now = min(now + _WAVE_SECONDS, max(full, now + 1))
        room.let_in(now)
        one, other = (room.waiting[index] for index in np.triu_indices(len(room.waiting), 1))
        credit = np.minimum(missed * _CREDIT, _MOST_CREDIT)
        score = np.abs(rating[one] - rating[other]) - np.minimum(credit[one], credit[other])
        weaker = np.minimum(rating[one], rating[other])
        limit = np.where(weaker < 1000, 130, np.where(weaker < 1500, 100, weaker / 15))
        fits = score - _GOOD_CONDUCT <= limit
        graph = nx.Graph()
        rows = zip(one[fits].tolist(), other[fits].tolist(), score[fits].tolist(), strict=True)
        for first, second, points in rows:
            graph.add_edge(first, second, weight=-round(points))
        pairs = sorted(nx.max_weight_matching(graph, maxcardinality=True))
        if pairs:
            both = np.array(pairs, dtype=np.int64)
            room.match(both[:, 0], both[:, 1], now)
        missed[room.waiting] += 1
    return room.matched()


_LONGEST, _WANTED, _LOOKED_BACK = 90.0, 5.0, 5
_BETA, _DEVIATION = 240.0, 80.0
_SHARE, _STEP, _MOST_EXPANDED, _FEW = 0.8, 0.05, 0.25, 30


def faforever(at: Floats, rating: Floats, seconds: float) -> Matched:
    """FAForever: a round once five are to be expected, after 90 s at most; in it the best pair first.

    How good two are for each other is TrueSkill's quality on its scale. Each accepts 0.8 of what an equal would be,
    and 0.05 less for each round that it went through in vain, down to 0.25 less. Of 30 and more each looks only at a
    few who are nearest.
    """
    room, now, failed = Room(at, rating), 0.0, np.zeros(len(at), dtype=np.int64)
    spread = 2 * _BETA**2 + 2 * _DEVIATION**2
    even = np.sqrt(2 * _BETA**2 / spread)
    counts, spans = deque[int](maxlen=_LOOKED_BACK), deque[float](maxlen=_LOOKED_BACK)
    span = _LONGEST / 2
    while now + span <= seconds:
        now += span
        room.let_in(now)
        waiting = room.waiting[np.argsort(rating[room.waiting])]
        number = len(waiting)
        low, high = np.triu_indices(number, 1)
        if number >= _FEW:
            near = high - low <= int(np.log2(max(16, number))) // 2
            low, high = low[near], high[near]
        one, other = waiting[low], waiting[high]
        quality = even * np.exp(-((rating[one] - rating[other]) ** 2) / (2 * spread))
        wanted = _SHARE * even - np.minimum(_STEP * failed, _MOST_EXPANDED)
        fits = np.flatnonzero(quality >= np.maximum(wanted[one], wanted[other]))
        taken, pairs = set[int](), list[tuple[int, int]]()
        for index in fits[np.argsort(-quality[fits], kind="stable")].tolist():
            first, second = int(one[index]), int(other[index])
            if first not in taken and second not in taken:
                taken |= {first, second}
                pairs.append((first, second))
        if pairs:
            both = np.array(pairs, dtype=np.int64)
            room.match(both[:, 0], both[:, 1], now)
        failed[room.waiting] += 1
        counts.append(number)
        spans.append(span)
        total = sum(counts)
        span = min(_WANTED * sum(spans) / total, _LONGEST) if total else _LONGEST
    return room.matched()
