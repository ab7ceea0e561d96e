"""Few tickets are paired as well as can be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.pairing import Rules, Tickets
from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.duels.exact_matching import can_be_best, match_oldest_first
from matchmaking.pairing.plan import Plan, conditions_of, costs_of
from matchmaking.pairing.strategies.filters import pair_by
from tests.matchmaking.pairing.constrained.best import best_matching
from tests.matchmaking.pairing.constrained.pools import PLANS, POOLS, accepting, costs
from tests.matchmaking.pairing.queues import waiting
from tests.matchmaking.pairing.reference import seniority

SECOND = RatingGap.of(Plan(rules=Rules(gap_start=100, gap_per_second=0)))


@given(POOLS(largest=9), PLANS(holds=False))
def test_as_good_as_by_trying_all(tickets: Tickets, plan: Plan) -> None:
    conditions, rank = conditions_of(plan), seniority(tickets)
    pairs = pair_by(tickets, conditions, exact_up_to=9)
    who, paid = best_matching(accepting(tickets, conditions), costs(tickets, conditions), rank)
    matched = np.concatenate((pairs.first, pairs.second))
    assert sorted(rank[matched].tolist()) == who
    assert costs_of(tickets, conditions, pairs.first, pairs.second).sum() == pytest.approx(
        paid, abs=1e-6
    )


@given(POOLS(largest=40), PLANS(holds=False))
def test_never_worse_than_near_neighbours(tickets: Tickets, plan: Plan) -> None:
    conditions, rank = conditions_of(plan), seniority(tickets)
    exact, near = (pair_by(tickets, conditions, exact_up_to=few) for few in (40, 0))
    assert len(exact) >= len(near)
    listed = [sorted(rank[np.append(p.first, p.second)].tolist()) for p in (exact, near)]
    if len(exact) == len(near):
        assert listed[0] <= listed[1]
    if listed[0] == listed[1]:
        paid = [costs_of(tickets, conditions, p.first, p.second).sum() for p in (exact, near)]
        assert paid[0] <= paid[1] + 1e-6


def test_a_path_round_an_odd_circle() -> None:
    # A triangle 1, 2, 3 with a stalk on each side: 0-1, 3-4, and 2 in the middle with nobody else.
    neighbours = [[1], [0, 2, 3], [1, 3, 5], [1, 2, 4], [3], [2]]
    partner = [-1, 2, 1, 4, 3, -1]
    match_oldest_first(neighbours, partner, rank=list(range(6)))
    assert partner == [1, 0, 5, 4, 3, 2]


def test_the_older_stands_in_for_the_younger() -> None:
    # A path of three: the middle plays one end, and the other end is older.
    partner = [-1, 2, 1]
    match_oldest_first([[1], [0, 2], [1]], partner, rank=[0, 1, 2])
    assert partner == [1, 0, -1]


def test_the_oldest_who_can_be_matched_together() -> None:
    tickets = waiting([1400, 1500, 1500, 1600], waited=[9, 1, 0, 8])
    pairs = pair_by(tickets, (SECOND,), exact_up_to=4)
    assert [
        sorted(row) for row in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    ] in (
        [[0, 1], [2, 3]],
        [[0, 2], [1, 3]],
    )


@given(
    st.lists(st.integers(0, 30).map(float), min_size=2, max_size=8).filter(
        lambda x: len(x) % 2 == 0
    )
)
def test_bounds_keep_the_best(heights: list[float]) -> None:
    height = np.sort(np.array(heights))
    cost = np.abs(height[:, np.newaxis] - height)
    np.fill_diagonal(cost, np.inf)
    edges = np.argwhere(np.triu(np.isfinite(cost), 1))
    best = float(np.diff(height)[::2].sum())  # neighbours: first with second, third with fourth
    kept = {tuple(edge) for edge in edges[can_be_best(cost, height, edges, known=best)].tolist()}
    assert {(at, at + 1) for at in range(0, len(height), 2)} <= kept


def test_a_hundred() -> None:
    rng = np.random.default_rng(7)
    tickets = waiting(rng.normal(1500, 200, 100), rng.exponential(20, 100))
    anyone = RatingGap.of(Plan(rules=Rules(gap_start=5000, gap_per_second=0)))
    pairs = pair_by(tickets, (anyone,), exact_up_to=100)
    assert sorted(pairs.gap.tolist()) == pytest.approx(
        sorted(np.diff(np.sort(tickets.rating))[::2].tolist())
    )
