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
from matchmaking.pairing.condition import Condition
from matchmaking.pairing.conditions import Hold
from matchmaking.pairing.plan import conditions_of
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.strategies.filters import pair_by
from ratings.systems.arrays import Floats, Ints

NAME = "timing"
NEEDS_SERVERS = False
ARRIVALS = (0.1, 1.0, 10.0)
TICKETS = 2_000
SEEDS = (1, 2, 3, 4)
MEAN, SPREAD = 1500.0, 350.0
SWEEP_EVERY = 0.25  # seconds, as a queue is swept that holds pairs back
_LIMITS, _ENOUGH = 4, 1.06
_STEPS, _CLOSE, _AIM = 10, 0.985, 0.993
_LEAST_POINTS, _MOST_POINTS = 0.01, 9_000.0
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
    """Ours where players wait no longer than theirs on average, and one in a hundred no longer than one in a hundred.

    Of a few `at_most` that the waits lead to, the one with the smallest gap.
    """
    found, at_most, points = list[Matched](), max(theirs.p99 - SWEEP_EVERY, 0.0), 1.0
    for _ in range(_LIMITS):
        points, ours = _as_short(theirs.wait, min(at_most, 3600.0), stream, points)
        found.append(ours)
        room = theirs.p99 / ours.p99
        if 1.0 <= room < _ENOUGH:
            break
        at_most *= min(room**1.5, 2.0) if room >= 1 else min(room**2, 0.8)
    fitting = [ours for ours in found if ours.p99 <= theirs.p99 and ours.wait <= theirs.wait]
    return min(fitting or found, key=lambda ours: ours.gap)


def _as_short(wait: float, at_most: float, stream: Stream, guess: float) -> tuple[float, Matched]:
    """The points worth a second with which players wait as long, or a little less; and what comes of them."""
    tried: list[tuple[float, float]] = []  # logarithms: of points, of the wait beside that aimed at
    best, points = None, guess
    for _ in range(_STEPS):
        found = holding(plan_of(points, at_most), stream)
        if found.wait <= wait and (best is None or found.wait > best[1].wait):
            best = points, found
        if _CLOSE * wait <= found.wait <= wait:
            break
        tried.append((math.log(points), math.log(found.wait / (_AIM * wait))))
        points = min(max(math.exp(_between(tried)), _LEAST_POINTS), _MOST_POINTS)
    return best or (points, holding(plan_of(_MOST_POINTS, 0.0), stream))


def _between(tried: list[tuple[float, float]]) -> float:
    """Where the wait may be the one aimed at; the more a second is worth, the shorter players wait."""
    short = min((points for points, over in tried if over <= 0), default=None)
    long = max((points for points, over in tried if over > 0), default=None)
    if short is None:
        return tried[-1][0] + 1.5 if long is None else long + 1.5
    if long is None:
        return short - 1.5
    over = dict(tried)
    share = over[long] / (over[long] - over[short])
    return long + (short - long) * min(max(share, 0.1), 0.9)


def plan_of(points_per_second: float, at_most: float) -> Plan:
    """A queue that holds pairs back, and whose rating gap forbids nothing."""
    exchange = {"points_per_second": points_per_second}
    timing = {"holds": True, "at_most": at_most}
    settings = Settings.build("filters", {"exchange": exchange, "timing": timing})
    return Plan(settings=settings, rules=Rules(gap_start=1e6, gap_per_second=0))


def holding(plan: Plan, stream: Stream, every: float = SWEEP_EVERY) -> Matched:
    """Sweep after sweep. Those before the next arrival or release are passed over: they would match nobody.

    Nor is the engine asked of tickets that are held from everybody, and where each of the others has one partner.
    """
    room, learned = Room(stream.at, stream.rating), -_LEARN_EVERY
    come, release = 0, np.inf
    conditions, hold = list[Condition](), None
    for number in range(1, int(stream.seconds / every) + 1):
        now = number * every
        room.let_in(now)
        if room.come == come and now < release:
            continue
        come, release = room.come, np.inf
        if room.come - learned >= _LEARN_EVERY:
            plan, learned = replace(plan, arrivals=rates(stream, room.come, now)), room.come
            conditions = [*conditions_of(plan)]
            hold = next((each for each in conditions if isinstance(each, Hold)), None)
        waiting = room.waiting
        if len(waiting) < 2:
            continue
        tickets = _tickets(stream, waiting, now)
        one, other = np.triu_indices(len(waiting), 1)
        free = hold.releases(tickets, one, other) if hold else np.ones(len(one), dtype=np.bool_)
        if not free.any():
            if hold and room.moment_of(1) > now + every:
                release = now + hold.distance(tickets, one, other).min()
            else:
                release = now
            continue
        one, other = waiting[one[free]], waiting[other[free]]
        released, partners = np.unique(np.concatenate((one, other)), return_counts=True)
        if (partners > 1).any():
            tickets = _tickets(stream, released, now)
            pairs = pair_by(tickets, conditions, exact_up_to=plan.settings.exchange.exact_up_to)
            one, other = released[pairs.first], released[pairs.second]
        room.match(one, other, now)
        release = now
    return room.matched()


def _tickets(stream: Stream, waiting: Ints, now: float) -> Tickets:
    return Tickets(
        id=waiting,
        player=waiting,
        rating=stream.rating[waiting],
        deviation=np.full(len(waiting), np.nan),
        waited=now - stream.at[waiting],
    )


def rates(stream: Stream, come: int, now: float) -> ArrivalRates | None:
    """What is known by now: of the newest 500 who have come."""
    at, rating = (
        np.concatenate((past, column[:come]))[-_LEARNED_FROM:]
        for past, column in zip(stream.before, (stream.at, stream.rating), strict=True)
    )
    return ArrivalRates.learned(rating, now - float(at[0]))
