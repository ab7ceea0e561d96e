"""Tickets of parties made for tests, Hypothesis strategies for them, and slow checks of matches."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan, Rules, conditions_of
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.tickets import Members, Tickets, Ties, strengths
from ratings.systems.registry import create

__all__ = [
    "PLANS",
    "POOLS",
    "accepting",
    "all_splits",
    "can_fill",
    "groups_of",
    "plan_for",
    "pool",
    "reordered",
    "teams_of",
    "tolerance",
]

TRUESKILL = create("trueskill")


def pool(
    parties: Sequence[Sequence[float]],
    waited: Sequence[float] | None = None,
    *,
    roles: Sequence[Sequence[int]] | None = None,
    bonus: float = 0.0,
    ties: dict[str, Ties] | None = None,
    **traits: object,
) -> Tickets:
    """Tickets 10, 11, … of parties with these ratings of their players, 1, 2, …."""
    ticket = np.repeat(np.arange(len(parties)), [len(party) for party in parties])
    flat = np.array([rating for party in parties for rating in party], dtype=np.float64)
    bits = np.zeros(len(flat)) if roles is None else np.concatenate([*map(np.array, roles)])
    members = Members(
        ticket=ticket,
        player=1 + np.arange(len(flat)),
        rating=flat,
        deviation=np.full(len(flat), 60.0),
        roles=bits.astype(np.int64),
    )
    rating, deviation = strengths(members, bonus)
    return Tickets(
        id=10 + np.arange(len(parties)),
        player=members.player[members.starts[:-1]],
        rating=rating,
        deviation=deviation,
        waited=np.array(waited if waited is not None else [0.0] * len(parties)),
        traits={name: np.array(column) for name, column in traits.items()},
        ties=ties or {},
        members=members,
    )


def reordered(tickets: Tickets, order: Sequence[int]) -> Tickets:
    """The same tickets in another order."""
    chosen, members = np.array(order, dtype=np.int64), tickets.members
    sizes, starts = members.sizes, members.starts
    rows = np.concatenate(
        [np.arange(starts[at], starts[at + 1]) for at in chosen] or [np.zeros(0, dtype=np.int64)]
    ).astype(np.int64)
    place = np.argsort(chosen)
    return Tickets(
        **{
            name: getattr(tickets, name)[chosen]
            for name in ("id", "player", "rating", "deviation", "waited")
        },
        traits={name: column[chosen] for name, column in tickets.traits.items()},
        ties={
            name: Ties(one=place[tie.one], other=place[tie.other], value=tie.value)
            for name, tie in tickets.ties.items()
        },
        members=Members(
            ticket=np.repeat(np.arange(len(chosen)), sizes[chosen]),
            **{
                name: getattr(members, name)[rows]
                for name in ("player", "rating", "deviation", "roles")
            },
        ),
    )


def plan_for(
    count: int,
    size: int,
    *,
    gap: float = 1e6,
    settings: dict[str, dict[str, object]] | None = None,
    side_points: float = 0.0,
) -> Plan:
    """A queue for `count` teams of `size` whose gap is as wide as that, rated by TrueSkill."""
    return Plan(
        team_count=count,
        team_size=size,
        rules=Rules(gap_start=gap, gap_per_second=1.0),
        settings=Settings.build("filters", settings or {}),
        system=TRUESKILL,
        uses_deviation=True,
        side_points=side_points,
    )


_RATINGS = st.integers(0, 8).map(lambda step: 1000 + 50.0 * step) | st.floats(900, 1500)
_WAITS = st.integers(0, 4).map(lambda step: 15.0 * step) | st.floats(0, 90)


@st.composite
def POOLS(draw: st.DrawFn, *, largest: int = 14, most: int = 4, alone: bool = False) -> Tickets:  # noqa: N802
    """Up to `largest` parties of up to `most` players, with languages, vetoes, roles and ties."""
    n = draw(st.integers(0, 3) | st.integers(6, largest))
    sizes = [1 if alone else draw(st.sampled_from([1, 1, 1, 2, most])) for _ in range(n)]

    def column(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=n, max_size=n))

    tickets = pool(
        [draw(st.lists(_RATINGS, min_size=size, max_size=size)) for size in sizes],
        column(_WAITS),
        roles=[draw(st.lists(st.integers(0, 3), min_size=s, max_size=s)) for s in sizes] or [[]],
        ties={"avoided": _ties(draw(st.lists(st.tuples(*[st.integers(0, 13)] * 2))), n)},
        languages=np.array(column(st.integers(0, 3)), dtype=np.int64),
        maps_vetoed=np.array(column(st.sampled_from([0, 0, 1, 2, 4])), dtype=np.int64),
        maps_liked=np.array(column(st.integers(0, 7)), dtype=np.int64),
        map_points=np.array(column(st.tuples(*[st.sampled_from([0.0, 80.0])] * 3))).reshape(n, 3),
    )
    return reordered(tickets, draw(st.permutations(range(n))))


def _ties(pairs: list[tuple[int, ...]], n: int) -> Ties:
    ends = [pair for pair in pairs if max(pair) < n and pair[0] != pair[1]]
    one, other = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    return Ties(one=one, other=other, value=np.ones(len(ends)))


@st.composite
def PLANS(draw: st.DrawFn) -> Plan:  # noqa: N802
    """Queues of few and small teams."""
    count, size = draw(st.sampled_from([(2, 2), (2, 2), (3, 1), (2, 3), (3, 2), (4, 1), (2, 5)]))
    return plan_for(
        count,
        size,
        gap=draw(st.sampled_from([60.0, 1e6, 1e6])),
        side_points=draw(st.sampled_from([0.0, 20.0, -20.0])),
        settings={
            "language": {"use": draw(st.sampled_from(["off", "off", "must", "prefer"]))},
            "maps": {"names": draw(st.sampled_from(["", "Canyon; River +15; Tower"]))},
            "teams": {
                "spread_start": draw(st.sampled_from([50.0, 150.0, 600.0, 600.0])),
                "spread_per_second": draw(st.sampled_from([0.0, 3.0])),
                "roles": draw(st.sampled_from(["", "", "healer 1", "tank 1; healer 1"]))
                if size > 1
                else "",
                "split": draw(st.sampled_from(["best", "best", "sources"])),
                "parity_seconds": draw(st.sampled_from([0.0, 10.0])),
            },
        },
    )


def groups_of(matches: ProposedMatches) -> list[list[int]]:
    """The tickets of each match."""
    starts = matches.starts.tolist()
    return [matches.ticket[a:b].tolist() for a, b in pairwise(starts)]


def teams_of(matches: ProposedMatches, match: int, count: int) -> list[list[int]]:
    """The tickets of each team of a match."""
    rows = matches.match == match
    return [matches.ticket[rows & (matches.team == team)].tolist() for team in range(count)]


def tolerance(tickets: Tickets, plan: Plan, ticket: int) -> float:
    """Rating points of spread that a ticket accepts."""
    teams = plan.settings.teams
    return float(teams.spread_start + teams.spread_per_second * tickets.waited[ticket])


def accepting(tickets: Tickets, plan: Plan, group: Sequence[int]) -> bool:
    """Whether every two of the group pass each other's conditions, and the spread is everyone's."""
    one, other = (
        np.array(side, dtype=np.int64) for side in zip(*combinations(group, 2), strict=True)
    )
    for condition in conditions_of(plan):
        accepted = condition.tolerances(tickets)
        for left, right in ((one, other), (other, one)):
            if (condition.distance(tickets, left, right) > accepted[left]).any():
                return False
    ratings = [float(tickets.rating[ticket]) for ticket in group]
    spread = max(ratings) - min(ratings)
    return all(spread <= tolerance(tickets, plan, ticket) for ticket in group)


def can_fill(needed: Sequence[int], roles: Sequence[int]) -> bool:
    """Whether players with these roles can take all places that a team needs, by trying all ways."""
    places = [role for role, number in enumerate(needed) for _ in range(number)]

    def fill(place: int, left: tuple[int, ...]) -> bool:
        if place == len(places):
            return True
        return any(
            (own == 0 or own >> places[place] & 1)
            and fill(place + 1, (*left[:at], *left[at + 1 :]))
            for at, own in enumerate(left)
        )

    return fill(0, tuple(roles))


def all_splits(sizes: Sequence[int], count: int, size: int) -> Iterator[tuple[int, ...]]:
    """Every way of giving each ticket a team such that all teams have `size` players."""
    for team in product(range(count), repeat=len(sizes)):
        players = [0] * count
        for ticket, number in enumerate(team):
            players[number] += sizes[ticket]
        if players == [size] * count:
            yield team
