"""Matches of teams and of everyone against everyone among waiting parties: time, share matched, how even.

Processor time of the best of several runs. The peer for how even teams are is every split tried, one after another.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np

from benchmarks.figure import Figure
from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.teams.splits import split_by_rule
from matchmaking.pairing.tickets import Members, Tickets, strengths
from ratings.systems.registry import create

NAME = "pairing-teams"
NEEDS_SERVERS = False
ROUNDS = 7
# Of a hundred tickets so many are of one player, of two, of three and of five.
PARTIES = {1: 0.60, 2: 0.20, 3: 0.12, 5: 0.08}
ALONE = {1: 1.0}


def run() -> Iterator[Figure]:
    """Five against five with parties, other shapes, and five against five with languages."""
    for size in (100, 1_000, 10_000):
        yield from measure(f"5 against 5, {size:,} tickets", make_tickets(size, PARTIES), 2, 5)
    yield from compare_splits(make_tickets(1_000, PARTIES))
    alone = make_tickets(1_000, ALONE)
    for count, size in ((2, 3), (3, 3), (8, 1), (2, 12)):
        yield from measure(f"{count} teams of {size}, 1,000 players", alone, count, size)
    speaking = make_tickets(1_000, PARTIES, languages=5)
    asked = {"language": {"use": "must"}}
    yield from measure("5 against 5, 1,000 tickets, 5 languages", speaking, 2, 5, asked)
    roles = {"teams": {"roles": "tank 1; healer 1; damage 3"}}
    yield from measure(
        "5 against 5, 1,000 tickets, 3 roles", make_tickets(1_000, PARTIES), 2, 5, roles
    )


def make_tickets(size: int, parties: dict[int, float], *, languages: int = 0) -> Tickets:
    """Parties of these shares, rated about 1500, who have waited for 20 s on average."""
    rng = np.random.default_rng(size)
    sizes = rng.choice(list(parties), size, p=list(parties.values()))
    ticket = np.repeat(np.arange(size), sizes)
    rating = rng.normal(1500, 300, size)[ticket] + rng.normal(0, 80, len(ticket))
    members = Members(
        ticket=ticket,
        player=rng.permutation(len(ticket)),
        rating=rating,
        deviation=rng.uniform(40, 80, len(ticket)),
        roles=rng.choice([0, 1, 2, 4, 5, 6], len(ticket)),
    )
    party, deviation = strengths(members, Settings().teams.party_bonus)
    spoken = {"languages": 1 << rng.integers(0, languages, size)} if languages else {}
    return Tickets(
        id=np.arange(size),
        player=members.player[members.starts[:-1]],
        rating=party,
        deviation=deviation,
        waited=rng.exponential(20, size),
        traits=spoken,
        members=members,
    )


def plan_for(
    count: int, size: int, given: Mapping[str, Mapping[str, object]] | None = None
) -> Plan:
    """A queue with the default settings but for those given, rated by TrueSkill on the scale of Elo."""
    system = create("trueskill", start=1500.0, deviation_start=500.0, beta=250.0, tau=5.0)
    settings = Settings.build("filters", given or {})
    return Plan(
        team_count=count, team_size=size, system=system, uses_deviation=True, settings=settings
    )


def measure(
    named: str,
    tickets: Tickets,
    count: int,
    size: int,
    given: Mapping[str, Mapping[str, object]] | None = None,
) -> Iterator[Figure]:
    """Time, share of the players, and how far apart the teams are."""
    plan = plan_for(count, size, given)
    seconds, found = timed(tickets, plan)
    sizes = tickets.members.sizes
    yield figure(f"pairing: {named}, time", seconds * 1e3, "ms")
    share = sizes[found.ticket].sum() / sizes.sum()
    yield figure(f"pairing: {named}, share of players matched", share, "of 1")
    yield figure(f"pairing: {named}, mean gap of the teams' means", found.gap.mean(), "points")


def figure(name: str, value: float, unit: str) -> Figure:
    return Figure(name=name, value=round(float(value), 4), unit=unit)


def timed(tickets: Tickets, plan: Plan) -> tuple[float, ProposedMatches]:
    """The least processor time it takes, and its answer."""
    spent = []
    for _ in range(ROUNDS if len(tickets) < 5_000 else 3):
        began = time.process_time()
        found = find_matches(tickets, plan)
        spent.append(time.process_time() - began)
    return min(spent), found


def compare_splits(tickets: Tickets) -> Iterator[Figure]:
    """How even the teams of the matches found are, against every split of each tried and the rule."""
    even = {"teams": {"parity_seconds": 0}}
    _seconds, found = timed(tickets, plan_for(2, 5, even))
    starts = found.starts.tolist()
    points = (tickets.rating * tickets.members.sizes).tolist()
    best, ruled = [], []
    for low, high in pairwise(starts):
        match = found.ticket[low:high].tolist()
        sizes = tickets.members.sizes[match].tolist()
        best.append(least_gap([points[ticket] for ticket in match], sizes))
        ruled.append(gap_by_rule([points[ticket] for ticket in match], sizes))
    peers = {"every split tried": best, "the sources' rule": ruled}
    for peer, gaps in peers.items():
        yield Figure(
            name="pairing: 5 against 5, 1,000 tickets, mean gap of the split",
            value=round(float(found.gap.mean()), 6),
            unit="points",
            peer=peer,
            peer_value=round(float(np.mean(gaps)), 6),
        )


def least_gap(points: Sequence[float], sizes: Sequence[int]) -> float:
    """Points between the means of two teams of five, the least of all splits."""
    tickets, total = range(len(points)), sum(points)
    return min(
        abs(total - 2 * sum(points[ticket] for ticket in team)) / 5
        for number in tickets[1:]
        for team in combinations(tickets, number)
        if sum(sizes[ticket] for ticket in team) == 5
    )


def gap_by_rule(points: Sequence[float], sizes: Sequence[int]) -> float:
    """Points between the means of the teams that the sources' rule makes."""
    team = split_by_rule(points, sizes, count=2, size=5)
    totals = np.bincount(np.array(team), weights=points)
    return float(np.ptp(totals)) / 5
