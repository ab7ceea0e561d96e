"""When to match: gap and 99th percentile of waits at the mean wait of four peers, on the same arrivals.

Ours holds pairs back (section `timing` of a queue) behind a rating gap that forbids nothing; of each peer
`exchange.points_per_second` is searched for so that players wait as long on average, or a little less, and
`timing.at_most` is the peer's 99th percentile. What comes is learned from the newest 500 tickets, at the start from
500 that had come before; those take no part.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.figure import Figure
from benchmarks.matching.timing_peers import Matched, Room, faforever, waves, windows
from matchmaking.pairing import Plan, Rules, Tickets
from matchmaking.pairing.arrivals import ArrivalRates
from matchmaking.pairing.conditions import Hold
from matchmaking.pairing.plan import conditions_of
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.strategies.filters import pair_by
from ratings.systems.arrays import Floats

NAME = "timing"
NEEDS_SERVERS = False
ARRIVALS = (0.1, 1.0, 10.0)
TICKETS = 2_000
SEEDS = (1, 2, 3, 4)
MEAN, SPREAD = 1500.0, 350.0
_STEPS, _CLOSE = 14, 0.985
_LEAST_POINTS, _MOST_POINTS = 0.05, 9_000.0
_LEARNED_FROM, _LEARN_EVERY = 500, 50

Rule = Callable[[Floats, Floats, float], Matched]
PEERS: dict[str, Rule] = {
    "lichess' waves": waves,
    "FAForever's rule": faforever,
    "a window every 2 s": lambda at, rating, seconds: windows(at, rating, seconds, every=2),
    "a window every 10 s": lambda at, rating, seconds: windows(at, rating, seconds, every=10),
}


def run() -> Iterator[Figure]:
    """Every peer at every number of arrivals, over several seeds."""
    for arrivals in ARRIVALS:
        for seed in SEEDS:
            stream = draw(arrivals, seed)
            for peer, rule in PEERS.items():
                yield from compare(f"{arrivals:g}/s, seed {seed}", peer, rule, stream)


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """Tickets as they come: `at` ascending and `rating`, for so many seconds. `before`: those of earlier, at < 0."""

    at: Floats
    rating: Floats
    seconds: float
    before: tuple[Floats, Floats]


def draw(arrivals: float, seed: int, tickets: int = TICKETS) -> Stream:
    """Independent of each other, with normal ratings."""
    random, seconds = np.random.default_rng(seed), tickets / arrivals
    number = int(random.poisson(tickets))
    at, rating = np.sort(random.uniform(0, seconds, number)), random.normal(MEAN, SPREAD, number)
    past = np.sort(random.uniform(-_LEARNED_FROM / arrivals, 0, _LEARNED_FROM))
    return Stream(at, rating, seconds, (past, random.normal(MEAN, SPREAD, _LEARNED_FROM)))


def compare(named: str, peer: str, rule: Rule, stream: Stream) -> Iterator[Figure]:
    """Ours beside a peer."""
    theirs = rule(stream.at, stream.rating, stream.seconds)
    mine = as_fast_as(theirs, stream)
    for what, unit, own, other in (
        ("gap", "points", mine.gap, theirs.gap),
        ("mean wait", "s", mine.wait, theirs.wait),
        ("p99 of waits", "s", mine.p99, theirs.p99),
    ):
        yield Figure(
            name=f"timing: {named}, {what}",
            value=round(own, 2),
            unit=unit,
            peer=peer,
            peer_value=round(other, 2),
        )


def as_fast_as(theirs: Matched, stream: Stream) -> Matched:
    """Ours with the smallest gaps at which players wait no longer than theirs on average."""
    at_most = min(max(theirs.p99 - 1, 0.0), 3600.0)
    low, high, best = math.log(_LEAST_POINTS), math.log(_MOST_POINTS), None
    for _ in range(_STEPS):
        middle = (low + high) / 2
        found = holding(plan_of(math.exp(middle), at_most), stream)
        if found.wait <= theirs.wait:
            best, high = found, middle
            if found.wait >= theirs.wait * _CLOSE:
                break
        else:
            low = middle
    if best is None:
        best = holding(plan_of(_MOST_POINTS, 0.0), stream)
    return best


def plan_of(points_per_second: float, at_most: float) -> Plan:
    """A queue that holds pairs back, and whose rating gap forbids nothing."""
    exchange = {"points_per_second": points_per_second}
    timing = {"holds": True, "at_most": at_most}
    settings = Settings.build("filters", {"exchange": exchange, "timing": timing})
    return Plan(settings=settings, rules=Rules(gap_start=1e6, gap_per_second=0))


def holding(plan: Plan, stream: Stream, every: float = 1.0) -> Matched:
    """Sweep after sweep. Those before the next arrival or release are passed over: they would match nobody."""
    rating, room, learned = stream.rating, Room(stream.at, stream.rating), -_LEARN_EVERY
    come, release = 0, np.inf
    for number in range(1, int(stream.seconds / every) + 1):
        now = number * every
        room.let_in(now)
        if room.come == come and now < release:
            continue
        come, release = room.come, np.inf
        if room.come - learned >= _LEARN_EVERY:
            plan, learned = replace(plan, arrivals=rates(stream, room.come, now)), room.come
        waiting = room.waiting
        if len(waiting) < 2:
            continue
        tickets = Tickets(
            id=waiting,
            player=waiting,
            rating=rating[waiting],
            deviation=np.full(len(waiting), np.nan),
            waited=now - stream.at[waiting],
        )
        conditions = [one for one in conditions_of(plan) if not one.is_idle(tickets)]
        one, other = np.triu_indices(len(waiting), 1)
        held = [each for each in conditions if isinstance(each, Hold)]
        left = held[0].distance(tickets, one, other).min() if held else 0.0
        if left > 0:
            release = now + left
            continue
        pairs = pair_by(tickets, conditions, exact_up_to=plan.settings.exchange.exact_up_to)
        room.match(waiting[pairs.first], waiting[pairs.second], now)
        release = now
    return room.matched()


def rates(stream: Stream, come: int, now: float) -> ArrivalRates | None:
    """What is known by now: of the newest 500 who have come."""
    at, rating = (
        np.concatenate((past, column[:come]))[-_LEARNED_FROM:]
        for past, column in zip(stream.before, (stream.at, stream.rating), strict=True)
    )
    return ArrivalRates.learned(rating, now - float(at[0]))
