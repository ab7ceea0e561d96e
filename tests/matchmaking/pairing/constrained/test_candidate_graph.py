"""The parts of a candidate graph, each against the slow way of saying the same."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.pairing import Tickets
from matchmaking.pairing.condition import Condition
from matchmaking.pairing.duels.blocks import Blocks, columns_of
from matchmaking.pairing.duels.candidate_graph import CandidateGraph
from matchmaking.pairing.duels.matching import Matching
from matchmaking.pairing.duels.maximal_matching import (
    StepsByCost,
    lower_costs,
    match_by_conditions,
)
from matchmaking.pairing.plan import Plan, conditions_of
from matchmaking.pairing.strategies.filters import pair_by
from ratings.systems.arrays import Floats, Ints
from tests.matchmaking.pairing.constrained.pools import PLANS, POOLS, accepting, costs
from tests.matchmaking.pairing.queues import waiting

CLASSES = st.lists(st.integers(0, (1 << 63) - 1) | st.integers(0, 15), max_size=12)


def graph_of(tickets: Tickets, plan: Plan) -> CandidateGraph:
    gap, *others = conditions_of(plan)
    return CandidateGraph(tickets, gap.tolerances(tickets), others, seconds=gap.seconds)


@given(CLASSES)
def test_columns_tell_apart_as_bits_do(given_bits: list[int]) -> None:
    bits = np.array(given_bits, dtype=np.int64)
    has = columns_of(bits).astype(np.int64)
    assert ((has @ has.T > 0) == ((bits[:, np.newaxis] & bits) != 0)).all()


def test_what_nobody_names_takes_no_column() -> None:
    anything = (1 << 62) - 1
    assert columns_of(np.array([anything, anything, 0b01, 0b10])).sum(axis=0).tolist() == [3, 3]


@given(CLASSES, st.data())
def test_blocks_hold_who_may_share(first: list[int], data: st.DataObject) -> None:
    n = len(first)
    second = data.draw(st.lists(st.integers(1, 7), min_size=n, max_size=n))
    classes = [np.array(first, dtype=np.int64), np.array(second, dtype=np.int64)]
    blocks = Blocks.of(classes, n)
    lower, upper = blocks.distinct(*blocks.pairs_within(n))
    together = {(int(one), int(other)) for one, other in zip(lower, upper, strict=True)}
    assert len(together) == len(lower)
    shared = np.ones((n, n), dtype=np.bool_)
    for bits in classes:
        shared &= (bits[:, np.newaxis] & bits) != 0
    expected = {(int(one), int(other)) for one, other in np.argwhere(np.triu(shared, 1))}
    assert expected <= together  # more, where dividing so finely would not pay
    alone = blocks.longest_only()
    assert len(np.unique(alone.vertex)) == len(alone.vertex)
    assert set(alone.vertex.tolist()) == set(blocks.vertex.tolist())


@given(POOLS(), PLANS())
def test_who_accepts_whom_and_at_what_cost(tickets: Tickets, plan: Plan) -> None:
    graph = graph_of(tickets, plan)
    order = np.ix_(graph.order, graph.order)
    allowed = accepting(tickets, conditions_of(plan))[order]
    one, other = np.nonzero(~np.eye(len(graph), dtype=np.bool_))
    assert (graph.allows(one, other) == allowed[one, other]).all()
    one, other = np.nonzero(allowed)
    expected = costs(tickets, conditions_of(plan))[order][one, other]
    assert np.allclose(graph.gap(one, other), expected, rtol=0, atol=1e-9)
    assert (graph.least_gap(one, other) <= graph.gap(one, other)).all()
    assert graph.around(np.arange(len(graph))).tolist() == np.argwhere(allowed).tolist()


@given(POOLS(), PLANS())
def test_exchanges_keep_the_matched_and_lower_the_sum(tickets: Tickets, plan: Plan) -> None:
    graph = graph_of(tickets, plan)
    matching, near = match_by_conditions(graph), graph.around(np.arange(len(graph)))
    near = near[near[:, 0] < near[:, 1]]
    free, before = matching.free().tolist(), graph.gap(*matching.pairs()).sum()
    lower_costs(graph, matching, near, rounds=5)
    lower, upper = matching.pairs()
    assert matching.free().tolist() == free
    assert (matching.partner[upper] == lower).all()
    assert graph.allows(lower, upper).all()
    assert graph.gap(lower, upper).sum() <= before + 1e-9


@given(POOLS(), PLANS())
def test_steps_that_leave_something_come_first(tickets: Tickets, plan: Plan) -> None:
    graph = graph_of(tickets, plan)
    near = graph.around(np.arange(len(graph)))
    steps = StepsByCost.of(graph, near[near[:, 0] < near[:, 1]])
    for vertex in range(len(graph)):
        own = slice(*steps.starts[vertex : vertex + 2].tolist())
        assert (steps.from_[own] == vertex).all()
        gaps = steps.gap[own]
        assert (np.diff(gaps) >= 0).all()
        assert steps.to[own].size == np.count_nonzero(near[:, 0] == vertex)
        for room in (0.0, 1.0, *gaps.tolist()):
            start, stop = (np.array([end]) for end in (own.start, own.stop))
            leaves = np.count_nonzero(room - gaps > 1e-9)
            assert steps.cheaper(start, stop, np.array([room])) == own.start + leaves


def test_an_exchange_of_three() -> None:
    # On a ring of six, each pair has to move on by one: no two pairs alone can gain by it.
    matching = Matching(6)
    matching.join(np.array([0, 2, 4]), np.array([1, 3, 5]))
    ring = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [0, 5]])
    graph = _Ring()
    lower_costs(graph, matching, ring, rounds=3)  # type: ignore[arg-type]
    assert matching.partner.tolist() == [5, 2, 1, 4, 3, 0]


class _Ring:
    """Six places that accept their neighbours; every second step costs less."""

    def __len__(self) -> int:
        return 6

    def gap(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        is_dear = np.minimum(one, other) % 2 == 0
        return np.where(is_dear & (np.abs(one - other) == 1), 3.0, 1.0)

    def least_gap(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return np.zeros(len(one))

    def allows(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return np.isin(np.abs(one - other), (1, 5))


@dataclass(frozen=True, slots=True, kw_only=True)
class Nobody(Condition):
    """Refuses everybody, and counts about how many pairs it was asked."""

    is_mutual: ClassVar[bool] = True

    asked: list[int] = field(default_factory=list)

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        self.asked.append(len(one))
        return np.ones(len(one))


def test_who_refuses_everybody_is_asked_hardly_more_than_once_about_each_pair() -> None:
    n, nobody = 600, Nobody()
    pairs = pair_by(waiting(np.arange(n)), (nobody,))
    assert len(pairs) == 0
    assert n * (n - 1) / 2 <= sum(nobody.asked) <= 1.5 * n * (n - 1) / 2
