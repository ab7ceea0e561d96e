"""Pairing 1,000, 10,000 and 100,000 waiting tickets, by rating alone and by conditions: time, cost, share matched.

By rating alone the peer sorts by rating and pairs the first with the second, the third with the fourth, …, where both
accept the gap. For conditions see `benchmarks.matching.constrained`.
"""

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from benchmarks.figure import Figure
from benchmarks.matching import constrained
from matchmaking.pairing import Pairs, Plan, Rules, Tickets
from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.strategies.filters import pair_by
from ratings.systems.arrays import Floats

Answer = TypeVar("Answer")

NAME = "pairing"
NEEDS_SERVERS = False
SIZES = (1_000, 10_000, 100_000)
ROUNDS = 7
PEER = "sorted by rating, neighbours paired"
RULES = Rules(gap_start=100, gap_per_second=5, gap_cap=400)
SHORT_OF_PLAYERS = Rules(gap_start=10, gap_per_second=2, gap_cap=200)


def run() -> Iterator[Figure]:
    """Pair crowded queues of every size, and sparse ones, in which tolerances decide."""
    for size in SIZES:
        rng = np.random.default_rng(size)
        crowded = make_tickets(rng.normal(1500, 300, size), rng)
        yield from compare(f"pairing: {size:,} tickets", crowded, RULES)
    for size in SIZES:
        rng = np.random.default_rng(size)
        sparse = make_tickets(rng.uniform(0, 20 * size, size), rng)
        yield from compare(f"pairing: {size:,} sparse tickets", sparse, SHORT_OF_PLAYERS)
    yield from constrained.run()


def make_tickets(rating: Floats, rng: np.random.Generator) -> Tickets:
    """Tickets of these ratings that have waited for 20 s on average."""
    size = len(rating)
    return Tickets(
        id=np.arange(size),
        player=rng.permutation(size),
        rating=rating,
        deviation=rng.uniform(40, 80, size),
        waited=rng.exponential(20, size),
    )


def compare(named: str, tickets: Tickets, rules: Rules) -> Iterator[Figure]:
    """Time, mean gap and share of both ways on the same tickets."""
    gap = RatingGap.of(Plan(rules=rules))
    seconds, pairs = timed(lambda: pair_by(tickets, (gap,)))
    peer_seconds, gaps = timed(lambda: pair_neighbours(tickets, rules))
    check(pairs, tickets, rules)
    yield figure(f"{named}, time", seconds * 1e3, "ms", peer_seconds * 1e3)
    yield figure(f"{named}, mean gap", pairs.gap.mean(), "points", gaps.mean())
    yield figure(f"{named}, share matched", pairs.share, "of 1", 2 * len(gaps) / len(tickets))


def figure(name: str, value: float, unit: str, peer: float) -> Figure:
    return Figure(
        name=name,
        value=round(float(value), 4),
        unit=unit,
        peer=PEER,
        peer_value=round(float(peer), 4),
    )


def timed(work: Callable[[], Answer]) -> tuple[float, Answer]:
    """Median of the seconds it takes, and its answer."""
    spent = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        answer = work()
        spent.append(time.perf_counter() - began)
    return float(np.median(spent)), answer


def pair_neighbours(tickets: Tickets, rules: Rules) -> Floats:
    """Gaps of the pairs that the peer makes."""
    order = np.argsort(tickets.rating)
    order = order[: len(order) // 2 * 2].reshape(-1, 2)
    gap = np.diff(tickets.rating[order], axis=1)[:, 0]
    allowed: Floats = gap[gap <= rules.tolerances(tickets.waited[order]).min(axis=1)]
    return allowed


def check(pairs: Pairs, tickets: Tickets, rules: Rules) -> None:
    """That the figures are of pairs which the rules allow, each ticket in one of them."""
    both = np.stack((pairs.first, pairs.second))
    assert (pairs.gap <= rules.tolerances(tickets.waited[both])).all()
    assert np.unique(np.append(both, pairs.left)).size == len(tickets)
