"""Pairing by conditions: 4 regions, 5 languages, tolerances that widen, and nobody meets the last opponent again.

At 1,000 tickets it is compared with blossom, which is given every pair that accepts each other, and may leave
whomever it likes: the least cost of the largest matching. Times are of the processor, the least of several runs.
"""

import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import networkx as nx
import numpy as np

from benchmarks.figure import Figure
from matchmaking.pairing import Pairs, Rules, Tickets
from matchmaking.pairing.condition import Condition
from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.duels.candidate_graph import CandidateGraph
from matchmaking.pairing.duels.exact_matching import match_oldest_first
from matchmaking.pairing.plan import Plan, conditions_of, costs_of
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.strategies.filters import pair_by
from matchmaking.pairing.tickets import Ties
from ratings.systems.arrays import Floats, Ints

RUNS = {1_000: 15, 10_000: 5, 100_000: 2, 100: 15}
WITH_BLOSSOM = 1_000
BLOSSOM = "blossom (networkx), of all pairs"
LANGUAGES, REGIONS = (0.35, 0.25, 0.2, 0.12, 0.08), (0.4, 0.3, 0.2, 0.1)
PLAN = Plan(
    rules=Rules(gap_start=100, gap_per_second=5, gap_cap=400),
    settings=Settings.build(
        "filters", {name: {"use": "must"} for name in ("language", "region", "rematch")}
    ),
)
_MICROSECONDS = 1e6
# Ratings this far apart are accepted by everybody: only the condition refuses.
_ANY_GAP = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SameGuild(Condition):
    """A game's own, which names no classes: the guild that a ticket wants is the other's."""

    reads: ClassVar[tuple[str, ...]] = ("guild", "wanted")

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        wanted, guild = tickets.traits["own.wanted"], tickets.traits["own.guild"]
        apart: Floats = (wanted.take(one) != guild.take(other)).astype(np.float64)
        return apart


def run() -> Iterator[Figure]:
    """Time, share and cost at every size."""
    conditions = conditions_of(PLAN)
    for size in (1_000, 10_000, 100_000):
        tickets = make_tickets(size)
        named = f"pairing: {size:,} tickets with conditions"
        spent, pairs = timed(tickets, conditions, runs=RUNS[size])
        cost = paid(tickets, pairs)
        yield Figure(name=f"{named}, time", value=round(spent * 1e3, 2), unit="ms")
        yield Figure(name=f"{named}, share matched", value=round(pairs.share, 4), unit="of 1")
        yield Figure(name=f"{named}, mean cost", value=round(cost / len(pairs), 3), unit="s")
        if size == WITH_BLOSSOM:
            yield from against_blossom(named, tickets, pairs, cost)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    yield Figure(name="pairing: peak memory of the process", value=peak, unit="MB")
    yield from refused()
    spent, _pairs = timed(make_tickets(100), conditions, runs=RUNS[100], exact=True)
    yield Figure(name="pairing: 100 tickets exactly, time", value=round(spent * 1e3, 2), unit="ms")


def make_tickets(size: int) -> Tickets:
    """One language and region each, one ticket in ten two; a quarter has just met a neighbour."""
    rng = np.random.default_rng(size)
    language = 1 << rng.choice(5, size, p=LANGUAGES)
    language |= np.where(rng.random(size) < 0.1, 1 << rng.integers(0, 5, size), 0)
    home, row = rng.choice(4, size, p=REGIONS), np.arange(size)
    latency = np.full((size, 4), np.inf)
    second = rng.random(size) < 0.1
    abroad = (home + rng.integers(1, 4, size)) % 4
    latency[row[second], abroad[second]] = rng.uniform(70, 140, int(second.sum()))
    latency[row, home] = rng.uniform(10, 60, size)
    rating = rng.normal(1500, 300, size)
    alike = np.lexsort((rating, language, home))
    met = np.stack((alike[:-1:4], alike[1::4]))
    return Tickets(
        id=row,
        player=rng.permutation(size),
        rating=rating,
        deviation=rng.uniform(40, 80, size),
        waited=rng.exponential(20, size),
        traits={
            "languages": language,
            "regions": np.isfinite(latency) @ (1 << np.arange(4)),
            "latency": latency,
        },
        ties={"met": Ties(one=met[0], other=met[1], value=np.ones(met.shape[1]))},
    )


def refused() -> Iterator[Figure]:
    """Time where a condition that names no classes refuses nearly everybody, beside that of the usual conditions."""
    size = 10_000
    usual, _pairs = timed(make_tickets(size), conditions_of(PLAN), runs=RUNS[size])
    rng = np.random.default_rng(size)
    is_few = rng.random(size) < 0.1
    many = {name: rng.integers(0, 100, size).astype(np.float64) for name in ("guild", "wanted")}
    few = {"guild": is_few.astype(np.float64), "wanted": np.where(is_few, 1.0, 2.0)}
    wide = replace(PLAN.rules, gap_start=_ANY_GAP, gap_cap=None)
    for traits, who in ((few, "one in ten can meet"), (many, "one in ten thousand pairs fit")):
        tickets = replace(
            make_tickets(size), traits={f"own.{name}": column for name, column in traits.items()}
        )
        for rules, how in ((PLAN.rules, ""), (wide, ", any gap")):
            asked = (RatingGap.of(replace(PLAN, rules=rules)), SameGuild())
            spent, _pairs = timed(tickets, asked, runs=2)
            named = f"pairing: {size:,} tickets of which {who}, no classes{how}, time"
            yield Figure(
                name=named,
                value=round(spent * 1e3, 1),
                unit="ms",
                peer="the usual conditions",
                peer_value=round(usual * 1e3, 1),
            )


def timed(
    tickets: Tickets, conditions: Sequence[Condition], *, runs: int, exact: bool = False
) -> tuple[float, Pairs]:
    """Seconds of the processor, and what was found."""
    spent = []
    for _ in range(runs):
        began = time.process_time()
        pairs = pair_by(tickets, conditions, exact_up_to=len(tickets) if exact else 0)
        spent.append(time.process_time() - began)
    return min(spent), pairs


def paid(tickets: Tickets, pairs: Pairs) -> float:
    """Seconds: the cost of all pairs."""
    return float(costs_of(tickets, conditions_of(PLAN), pairs.first, pairs.second).sum())


def against_blossom(named: str, tickets: Tickets, pairs: Pairs, cost: float) -> Iterator[Figure]:
    """Cost and number beside the best, and who is left that the exact order of waiting would not leave."""
    graph, edges = all_pairs(tickets)
    began = time.process_time()
    number, least = blossom(edges, graph.gap(edges[:, 0], edges[:, 1]))
    took = time.process_time() - began
    yield _beside(f"{named}, total cost", cost, "s", least)
    yield _beside(f"{named}, pairs", len(pairs), "pairs", number)
    yield Figure(name=f"{named}, time of blossom", value=round(took, 2), unit="s")
    matched = set(pairs.first.tolist()) | set(pairs.second.tolist())
    exact = oldest_first(graph, edges)
    missed = len(exact - matched) / len(exact)
    yield Figure(name=f"{named}, shortfall in priority", value=round(missed, 4), unit="of 1")


def all_pairs(tickets: Tickets) -> tuple[CandidateGraph, Ints]:
    """Every two vertices that accept each other."""
    gap, *others = conditions_of(PLAN)
    assert isinstance(gap, RatingGap)
    graph = CandidateGraph(tickets, gap.tolerances(tickets), others, seconds=gap.seconds)
    edges = graph.around(np.arange(len(graph)))
    return graph, edges[edges[:, 0] < edges[:, 1]]


def blossom(edges: Ints, gap: Floats) -> tuple[int, float]:
    """Pairs of the largest matching, and its least cost."""
    graph = nx.Graph()
    for (one, other), cost in zip(edges.tolist(), gap.tolist(), strict=True):
        graph.add_edge(one, other, weight=-round(cost * _MICROSECONDS))
    found = nx.max_weight_matching(graph, maxcardinality=True)
    least = -sum(graph.edges[pair]["weight"] for pair in found) / _MICROSECONDS
    return len(found), least


def oldest_first(graph: CandidateGraph, edges: Ints) -> set[int]:
    """Positions of those matched if the oldest who can be matched together are."""
    neighbours: list[list[int]] = [[] for _ in range(len(graph))]
    for one, other in edges.tolist():
        neighbours[one].append(other)
        neighbours[other].append(one)
    partner = [-1] * len(graph)
    match_oldest_first(neighbours, partner, graph.rank.tolist())
    return {int(graph.order[vertex]) for vertex, beside in enumerate(partner) if beside >= 0}


def _beside(name: str, value: float, unit: str, peer: float) -> Figure:
    return Figure(
        name=name, value=round(value, 2), unit=unit, peer=BLOSSOM, peer_value=round(peer, 2)
    )
