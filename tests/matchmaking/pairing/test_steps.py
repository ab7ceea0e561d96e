"""The steps of a sweep, each against the slow way of doing the same."""

from itertools import pairwise

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from matchmaking.pairing import Rules, Tickets
from matchmaking.pairing.duels.by_rating import pair_chains
from matchmaking.pairing.duels.improve import complete, match_along_paths, polish, split_pairs
from matchmaking.pairing.duels.matching import FREE, Matching, choose_best_first
from matchmaking.pairing.duels.rating_line import Line, accepted_around, near_pairs, nearest_pairs
from tests.matchmaking.pairing.queues import QUEUES, RULES, reorder, waiting
from tests.matchmaking.pairing.reference import accepting

TIGHT = Rules(gap_start=0.3, gap_per_second=0)


def lined_up(tickets: Tickets, rules: Rules) -> tuple[Line, np.ndarray]:
    """The line and who accepts whom in it."""
    line, order = Line.of(tickets, rules)
    return line, accepting(reorder(tickets, order.tolist()), rules)


@given(QUEUES(), RULES)
@example(waiting([0.1 * step for step in range(40)]), TIGHT)  # 0.1 + 0.3 is not 0.4
@example(waiting([1e9 - 0.1 * step for step in range(40)]), TIGHT)
@example(waiting([106.7, 238.70000000000002]), Rules(gap_start=132, gap_per_second=0))
def test_line_allows_what_the_gaps_allow(tickets: Tickets, rules: Rules) -> None:
    line, is_allowed = lined_up(tickets, rules)
    one, other = np.nonzero(~np.eye(len(line), dtype=np.bool_))
    assert (line.allows(one, other) == is_allowed[one, other]).all()


@given(QUEUES(), RULES, st.data())
def test_part_of_a_line(tickets: Tickets, rules: Rules, data: st.DataObject) -> None:
    line, is_allowed = lined_up(tickets, rules)
    kept = data.draw(st.lists(st.booleans(), min_size=len(line), max_size=len(line)))
    places = np.flatnonzero(np.array(kept, dtype=np.bool_))
    one, other = np.nonzero(~np.eye(len(places), dtype=np.bool_))
    allowed = line.only(places).allows(one, other)
    assert (allowed == is_allowed[places[one], places[other]]).all()


@given(QUEUES(), RULES)
def test_nearest(tickets: Tickets, rules: Rules) -> None:
    line, is_allowed = lined_up(tickets, rules)
    expected = set()
    for place in range(len(line)):
        others = np.flatnonzero(is_allowed[place])
        expected |= {(place, int(other)) for other in others[others > place][:1]}
        expected |= {(int(other), place) for other in others[others < place][-1:]}
    assert {(int(a), int(b)) for a, b in nearest_pairs(line)} == expected


@given(QUEUES(), RULES, st.integers(1, 5))
def test_near(tickets: Tickets, rules: Rules, reach: int) -> None:
    line, is_allowed = lined_up(tickets, rules)
    found = [(int(a), int(b)) for a, b in near_pairs(line, reach=reach)]
    within = np.triu(is_allowed, 1) & ~np.triu(is_allowed, reach + 1)
    assert sorted(found) == [(int(a), int(b)) for a, b in np.argwhere(within)]


@given(QUEUES(), RULES)
def test_around(tickets: Tickets, rules: Rules) -> None:
    line, is_allowed = lined_up(tickets, rules)
    found = accepted_around(line, np.arange(len(line)))
    assert found.tolist() == np.argwhere(is_allowed).tolist()


@given(QUEUES(), RULES)
def test_completing(tickets: Tickets, rules: Rules) -> None:
    line, is_allowed = lined_up(tickets, rules)
    matching = Matching(len(line))
    complete(line, matching)
    lower, upper = matching.pairs()
    free = matching.free()
    assert is_allowed[lower, upper].all()
    assert not is_allowed[np.ix_(free, free)].any()


def test_completing_takes_the_best_first() -> None:
    # The one at 25 has waited, which is worth more than the smaller gap of 0 and 10.
    tickets = waiting([0, 10, 25, 500], waited=[0, 0, 8, 0])
    line, _ = Line.of(tickets, Rules(gap_start=20, gap_per_second=1))
    matching = Matching(4)
    complete(line, matching)
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
    line, is_allowed = lined_up(tickets, rules)
    matching = Matching(len(line))
    pair_chains(line, matching)
    linked = [bool(is_allowed[at, at + 1]) for at in range(len(line) - 1)]
    first_round = np.flatnonzero(matching.partner == np.arange(len(line)) + 1)
    for start, end in chains(linked, len(line)):
        size = end - start
        assert np.isin(np.arange(start, end - 1), first_round).sum() == size // 2
        if size % 2:
            (waits,) = set(range(start, end)) - {p + k for p in first_round for k in (0, 1)}
            assert line.rank[waits] == max(line.rank[start:end:2])


def chains(linked: list[bool], n: int) -> list[tuple[int, int]]:
    """Start and end of every stretch of linked places."""
    cuts = [0, *(at + 1 for at, is_linked in enumerate(linked) if not is_linked), n]
    return [(start, end) for start, end in pairwise(cuts) if start < end]


def test_paths_drop_nobody() -> None:
    # 1 and 2, 3 and 4 are paired; only all three together can take in 0 and 5.
    line, _ = Line.of(waiting([0, 100, 200, 300, 400, 500]), Rules(gap_start=100, gap_per_second=0))
    matching = Matching(6)
    matching.join(np.array([1, 3]), np.array([2, 4]))
    calls, near = accepted_around(line, matching.free()), near_pairs(line, reach=1)
    assert match_along_paths(line, matching, calls, near, depth=1)
    assert matching.partner.tolist() == [1, 0, 3, 2, 5, 4]
    assert not match_along_paths(line, matching, calls[:0], near, depth=1)


def test_splitting_where_the_best_caller_calls_both() -> None:
    # 0 calls 1 alone; 3 calls both and is nearer to 1.
    line, _ = Line.of(
        waiting([0, 90, 100, 110], waited=[100, 100, 0, 100]), Rules(gap_start=10, gap_per_second=1)
    )
    matching = Matching(4)
    matching.join(np.array([1]), np.array([2]))
    assert split_pairs(line, matching, accepted_around(line, matching.free()))
    assert matching.partner.tolist() == [1, 0, 3, 2]
    assert not split_pairs(line, matching, accepted_around(line, matching.free()))


def test_longer_paths() -> None:
    n = 12
    line, _ = Line.of(waiting(100.0 * np.arange(n)), Rules(gap_start=100, gap_per_second=0))
    matching = Matching(n)
    matching.join(np.arange(1, n - 1, 2), np.arange(2, n - 1, 2))
    calls, near = accepted_around(line, matching.free()), near_pairs(line, reach=1)
    assert not match_along_paths(line, matching, calls, near, depth=2)
    assert match_along_paths(line, matching, calls, near, depth=3)
    assert matching.free().size == 0


@given(QUEUES(), st.data())
def test_polish_keeps_the_matched_and_shrinks_the_sum(
    tickets: Tickets, data: st.DataObject
) -> None:
    rules = Rules(gap_start=200, gap_per_second=2)
    line, is_allowed = lined_up(tickets, rules)
    matching = Matching(len(line))
    edges = data.draw(st.permutations(np.argwhere(np.triu(is_allowed)).tolist()))
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    chosen = pairs[choose_best_first(pairs, size=len(line))]
    matching.join(chosen[:, 0], chosen[:, 1])
    free, before = matching.free().tolist(), line.gap(*matching.pairs()).sum()
    polish(line, matching, near_pairs(line, reach=8), rounds=8)
    lower, upper = matching.pairs()
    assert matching.free().tolist() == free
    assert (matching.partner[upper] == lower).all()
    assert is_allowed[lower, upper].all()
    assert line.gap(lower, upper).sum() <= before + 1e-9


def test_polish_untangles() -> None:
    line, _ = Line.of(waiting([0, 10, 500, 510]), Rules(gap_start=600, gap_per_second=0))
    matching = Matching(4)
    matching.join(np.array([0, 1]), np.array([2, 3]))
    polish(line, matching, near_pairs(line, reach=2), rounds=4)
    assert matching.partner.tolist() == [1, 0, 3, 2]
