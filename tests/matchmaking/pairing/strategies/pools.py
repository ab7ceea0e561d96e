"""Pools of tickets with languages, parties and ties, and Hypothesis strategies for them."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from matchmaking.pairing import Tickets
from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.tickets import Members, Ties

__all__ = ["POOLS", "buckets_plan", "matches_of", "plan_of", "pool", "reorder", "ties"]


def pool(
    ratings: ArrayLike,
    waited: ArrayLike | None = None,
    *,
    languages: ArrayLike | None = None,
    regions: ArrayLike | None = None,
    sizes: Sequence[int] | None = None,
    **ties: Ties,
) -> Tickets:
    """Tickets 10, 11, … with these ratings; of one player each, or of parties of these sizes."""
    rating = np.array(ratings, dtype=np.float64)
    n = len(rating)
    counts = np.ones(n, dtype=np.int64) if sizes is None else np.array(sizes, dtype=np.int64)
    player = 100 + np.cumsum(counts) - counts
    traits = {"languages": languages, "regions": regions}
    return Tickets(
        id=10 + np.arange(n),
        player=player,
        rating=rating,
        deviation=np.full(n, np.nan),
        waited=np.array(np.zeros(n) if waited is None else waited, dtype=np.float64),
        traits={
            name: np.array(column, dtype=np.int64)
            for name, column in traits.items()
            if column is not None
        },
        ties=ties,
        members=Members(
            ticket=np.repeat(np.arange(n), counts),
            player=100 + np.arange(counts.sum()),
            rating=np.repeat(rating, counts),
            deviation=np.full(counts.sum(), np.nan),
            roles=np.zeros(counts.sum(), dtype=np.int64),
        ),
    )


def ties(*pairs: tuple[int, int], value: float = 1.0) -> Ties:
    """These pairs of positions are tied."""
    one, other = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Ties(one=one, other=other, value=np.full(len(one), value))


def plan_of(
    strategy: str = "filters", *, team_count: int = 2, team_size: int = 1, **sections: object
) -> Plan:
    """A plan with these sections of settings."""
    return Plan(
        settings=Settings.build(strategy, sections), team_count=team_count, team_size=team_size
    )


def buckets_plan(levels: str, *, team_count: int = 2, team_size: int = 1, **given: object) -> Plan:
    """A plan with these levels of buckets."""
    section = {"levels": levels, **given}
    return plan_of("buckets", team_count=team_count, team_size=team_size, buckets=section)


def matches_of(matches: ProposedMatches) -> list[list[int]]:
    """Positions of the tickets of each match, in ascending order."""
    starts = matches.starts.tolist()
    return [sorted(matches.ticket[low:high].tolist()) for low, high in pairwise(starts)]


def reorder(tickets: Tickets, order: Sequence[int]) -> Tickets:
    """The same tickets, of one player each and without ties, in another order."""
    columns = ("id", "player", "rating", "deviation", "waited")
    given = {name: getattr(tickets, name)[list(order)] for name in columns}
    traits = {name: column[list(order)] for name, column in tickets.traits.items()}
    return Tickets(**given, traits=traits)


@st.composite
def POOLS(draw: st.DrawFn, *, largest: int = 30, largest_party: int = 1) -> Tickets:  # noqa: N802
    """Pools of up to `largest` tickets with ratings, waits, languages, regions, parties and avoid lists."""
    row = st.tuples(
        st.integers(0, 12).map(lambda step: 1000 + 75.0 * step),
        st.integers(0, 8).map(lambda step: 5.0 * step),
        st.integers(0, 7),
        st.integers(0, 3),
        st.integers(1, largest_party),
    )
    rows = draw(st.lists(row, max_size=largest))
    ratings, waited, languages, regions, sizes = zip(*rows, strict=True) if rows else ((),) * 5
    ends = st.integers(0, max(len(rows) - 1, 0))
    apart = st.tuples(ends, ends).filter(lambda two: two[0] != two[1])
    pairs = draw(st.lists(apart, max_size=8)) if len(rows) > 1 else []
    return pool(
        ratings, waited, languages=languages, regions=regions, sizes=sizes, avoided=ties(*pairs)
    )
