"""The steps of a sweep, each against the slow way of doing the same."""

from itertools import pairwise

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from matchmaking.pairing import Rules, Tickets
from matchmaking.pairing.duels.augmentation import complete, match_along_paths, split_pairs
from matchmaking.pairing.duels.interval_graph import IntervalGraph
from matchmaking.pairing.duels.matching import FREE, Matching, choose_best_first
from matchmaking.pairing.duels.maximal_matching import exchange_partners, pair_chains
from ratings.systems.arrays import Bools, Ints
from tests.matchmaking.pairing.queues import QUEUES, RULES, reorder, waiting
from tests.matchmaking.pairing.reference import accepting

TIGHT = Rules(gap_start=0.3, gap_per_second=0)


def graph_of(tickets: Tickets, rules: Rules) -> tuple[IntervalGraph, Ints]:
    """The graph of ratings and the tickets of its places."""
    tolerance = rules.tolerances(tickets.waited)
    return IntervalGraph.of(tickets, tolerance, start=rules.gap_start)


def with_answers(tickets: Tickets, rules: Rules) -> tuple[IntervalGraph, Bools]:
    """The graph of ratings and who accepts whom in it."""
    graph, order = graph_of(tickets, rules)
    return graph, accepting(reorder(tickets, order.tolist()), rules)


@given(QUEUES(), RULES)
@example(waiting([0.1 * step for step in range(40)]), TIGHT)  # 0.1 + 0.3 is not 0.4
@example(waiting([1e9 - 0.1 * step for step in range(40)]), TIGHT)
@example(waiting([106.7, 238.70000000000002]), Rules(gap_start=132, gap_per_second=0))
def test_graph_allows_what_the_gaps_allow(tickets: Tickets, rules: Rules) -> None:
    graph, is_allowed = with_answers(tickets, rules)
    one, other = np.nonzero(~np.eye(len(graph), dtype=np.bool_))
    assert (graph.allows(one, other) == is_allowed[one, other]).all()


@given(QUEUES(), RULES, st.data())
def test_part_of_a_graph(tickets: Tickets, rules: Rules, data: st.DataObject) -> None:
    graph, is_allowed = with_answers(tickets, rules)
    kept = data.draw(st.lists(st.booleans(), min_size=len(graph), max_size=len(graph)))
    places = np.flatnonzero(np.array(kept, dtype=np.bool_))
    one, other = np.nonzero(~np.eye(len(places), dtype=np.bool_))
    allowed = graph.only(places).allows(one, other)
    assert (allowed == is_allowed[places[one], places[other]]).all()


@given(QUEUES(), RULES)
def test_nearest(tickets: Tickets, rules: Rules) -> None:
    graph, is_allowed = with_answers(tickets, rules)
    expected = set()
    for place in range(len(graph)):
        others = np.flatnonzero(is_allowed[place])
        expected |= {(place, int(other)) for other in others[others > place][:1]}
        expected |= {(int(other), place) for other in others[others < place][-1:]}
    assert {(int(a), int(b)) for a, b in graph.nearest(np.arange(len(graph)))} == expected


@given(QUEUES(), RULES, st.integers(1, 5))
def test_near(tickets: Tickets, rules: Rules, reach: int) -> None:
    graph, is_allowed = with_answers(tickets, rules)
    found = [(int(a), int(b)) for a, b in graph.near(reach=reach)]
    within = np.triu(is_allowed, 1) & ~np.triu(is_allowed, reach + 1)
    assert sorted(found) == [(int(a), int(b)) for a, b in np.argwhere(within)]


@given(QUEUES(), RULES)
def test_around(tickets: Tickets, rules: Rules) -> None:
    graph, is_allowed = with_answers(tickets, rules)
    found = graph.around(np.arange(len(graph)))
    assert found.tolist() == np.argwhere(is_allowed).tolist()


@given(QUEUES(), RULES)
def test_completing(tickets: Tickets, rules: Rules) -> None:
    graph, is_allowed = with_answers(tickets, rules)
    matching = Matching(len(graph))
    complete(graph, matching)
    lower, upper = matching.pairs()
    free = matching.free()
    assert is_allowed[lower, upper].all()
    assert not is_allowed[np.ix_(free, free)].any()


def test_completing_takes_the_best_first() -> None:
    # The one at 25 has waited, which is worth more than the smaller gap of 0 and 10.
    tickets = waiting([0, 10, 25, 500], waited=[0, 0, 8, 0])
    graph, _ = graph_of(tickets, Rules(gap_start=20, gap_per_second=1))
    matching = Matching(4)
    complete(graph, matching)
    assert matching.partner.tolist() == [FREE, 2, 1, FREE]


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from([10, 400, 3000]), st.integers(2, 4))
def test_choosing_is_walking_down_the_list(seed: int, size: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    claims = np.stack([rng.permutation(size)[:width] for _ in range(1000 if size > 10 else 50)])
    gone: set[int] = set()
    expected = []
    for change, places in enumerate(claims.tolist()):
        if gone.isdisjoint(places):
            gone.update(places)
            expected.append(change)
    assert choose_best_first(claims, size=size).tolist() == expected


@given(QUEUES(largest=12), RULES)
def test_chains_leave_the_youngest_that_can_wait(tickets: Tickets, rules: Rules) -> None:
    graph, is_allowed = with_answers(tickets, rules)
    matching = Matching(len(graph))
    pair_chains(graph, matching)
    linked = [bool(is_allowed[at, at + 1]) for at in range(len(graph) - 1)]
    first_round = np.flatnonzero(matching.partner == np.arange(len(graph)) + 1)
    for start, end in chains(linked, len(graph)):
        size = end - start
        assert np.isin(np.arange(start, end - 1), first_round).sum() == size // 2
        if size % 2:
            (waits,) = set(range(start, end)) - {p + k for p in first_round for k in (0, 1)}
            assert graph.rank[waits] == max(graph.rank[start:end:2])


def chains(linked: list[bool], n: int) -> list[tuple[int, int]]:
    """Start and end of every stretch of linked places."""
    cuts = [0, *(at + 1 for at, is_linked in enumerate(linked) if not is_linked), n]
    return [(start, end) for start, end in pairwise(cuts) if start < end]


def test_paths_drop_nobody() -> None:
    # 1 and 2, 3 and 4 are paired; only all three together can take in 0 and 5.
    graph, _ = graph_of(
        waiting([0, 100, 200, 300, 400, 500]), Rules(gap_start=100, gap_per_second=0)
    )
    matching = Matching(6)
    matching.join(np.array([1, 3]), np.array([2, 4]))
    calls, near = graph.around(matching.free()), graph.near(reach=1)
    assert match_along_paths(graph, matching, calls, near, depth=1)
    assert matching.partner.tolist() == [1, 0, 3, 2, 5, 4]
    assert not match_along_paths(graph, matching, calls[:0], near, depth=1)


def test_splitting_where_the_best_caller_calls_both() -> None:
    # 0 calls 1 alone; 3 calls both and is nearer to 1.
    graph, _ = graph_of(
        waiting([0, 90, 100, 110], waited=[100, 100, 0, 100]), Rules(gap_start=10, gap_per_second=1)
    )
    matching = Matching(4)
    matching.join(np.array([1]), np.array([2]))
    assert split_pairs(graph, matching, graph.around(matching.free()))
    assert matching.partner.tolist() == [1, 0, 3, 2]
    assert not split_pairs(graph, matching, graph.around(matching.free()))


def test_longer_paths() -> None:
    n = 12
    graph, _ = graph_of(waiting(100.0 * np.arange(n)), Rules(gap_start=100, gap_per_second=0))
    matching = Matching(n)
    matching.join(np.arange(1, n - 1, 2), np.arange(2, n - 1, 2))
    calls, near = graph.around(matching.free()), graph.near(reach=1)
    assert not match_along_paths(graph, matching, calls, near, depth=2)
    assert match_along_paths(graph, matching, calls, near, depth=3)
    assert matching.free().size == 0


@given(QUEUES(), st.data())
def test_exchanges_keep_the_matched_and_shrink_the_sum(
    tickets: Tickets, data: st.DataObject
) -> None:
    rules = Rules(gap_start=200, gap_per_second=2)
    graph, is_allowed = with_answers(tickets, rules)
    matching = Matching(len(graph))
    edges = data.draw(st.permutations(np.argwhere(np.triu(is_allowed)).tolist()))
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    chosen = pairs[choose_best_first(pairs, size=len(graph))]
    matching.join(chosen[:, 0], chosen[:, 1])
    free, before = matching.free().tolist(), graph.gap(*matching.pairs()).sum()
    exchange_partners(graph, matching, graph.near(reach=8), rounds=8)
    lower, upper = matching.pairs()
    assert matching.free().tolist() == free
    assert (matching.partner[upper] == lower).all()
    assert is_allowed[lower, upper].all()
    assert graph.gap(lower, upper).sum() <= before + 1e-9


def test_exchanges_untangle() -> None:
    graph, _ = graph_of(waiting([0, 10, 500, 510]), Rules(gap_start=600, gap_per_second=0))
    matching = Matching(4)
    matching.join(np.array([0, 1]), np.array([2, 3]))
    exchange_partners(graph, matching, graph.near(reach=2), rounds=4)
    assert matching.partner.tolist() == [1, 0, 3, 2]
