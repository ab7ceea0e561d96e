"""What every sweep promises, over any queue and any rules."""

from random import Random

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from matchmaking.pairing import Pairs, Rules, Tickets, find_matches, records
from tests.matchmaking.pairing.queues import (
    QUEUES,
    RULES,
    by_rating,
    pair_by_rating,
    reorder,
    waiting,
)
from tests.matchmaking.pairing.reference import accepting, largest_number, partners, seniority


@given(QUEUES(), RULES)
def test_mutual(tickets: Tickets, rules: Rules) -> None:
    pairs = pair_by_rating(tickets, rules)
    assert accepting(tickets, rules)[pairs.first, pairs.second].all()


@given(QUEUES(), RULES)
def test_each_once(tickets: Tickets, rules: Rules) -> None:
    pairs = pair_by_rating(tickets, rules)
    everyone = np.concatenate((pairs.first, pairs.second, pairs.left))
    assert sorted(everyone.tolist()) == list(range(len(tickets)))
    assert pairs.share == (2 * len(pairs) / len(tickets) if len(tickets) else 1.0)


@given(QUEUES(), RULES)
def test_maximal(tickets: Tickets, rules: Rules) -> None:
    left = pair_by_rating(tickets, rules).left
    assert not accepting(tickets, rules)[np.ix_(left, left)].any()


@given(QUEUES(), RULES)
def test_longest_first(tickets: Tickets, rules: Rules) -> None:
    pairs = pair_by_rating(tickets, rules)
    assert_stable(tickets, rules, pairs)


@given(QUEUES(), RULES)
def test_oldest_first(tickets: Tickets, rules: Rules) -> None:
    pairs, rank = pair_by_rating(tickets, rules), seniority(tickets)
    assert (rank[pairs.first] < rank[pairs.second]).all()
    assert (np.diff(rank[pairs.first]) > 0).all()
    assert (np.diff(rank[pairs.left]) > 0).all()


@given(QUEUES(), RULES, st.randoms(use_true_random=False))
def test_any_order(tickets: Tickets, rules: Rules, random: Random) -> None:
    order = list(range(len(tickets)))
    random.shuffle(order)
    shuffled = reorder(tickets, order)
    one, other = pair_by_rating(tickets, rules), pair_by_rating(shuffled, rules)
    assert tickets.id[one.first].tolist() == shuffled.id[other.first].tolist()
    assert tickets.id[one.second].tolist() == shuffled.id[other.second].tolist()
    assert tickets.id[one.left].tolist() == shuffled.id[other.left].tolist()


@given(QUEUES(), RULES)
def test_reasons(tickets: Tickets, rules: Rules) -> None:
    plan = by_rating(rules)
    found, pairs = find_matches(tickets, plan), pair_by_rating(tickets, rules)
    both = np.stack((pairs.first, pairs.second), axis=1)
    assert np.sort(found.ticket.reshape(-1, 2)).tolist() == np.sort(both).tolist()
    assert found.left.tolist() == pairs.left.tolist()
    kept = records(tickets, plan, found)
    for record, ends in zip(kept, found.ticket.reshape(-1, 2), strict=True):
        gap, waited = np.ptp(tickets.rating[ends]), tickets.waited[ends]
        least = rules.tolerances(waited).min()
        assert gap <= least
        assert (record["strategy"], record["gap"]) == ("filters", round(gap, 4))
        assert record["waited"] == [round(seconds, 4) for seconds in waited.tolist()]
        (asked,) = record["conditions"]
        assert (asked["name"], asked["distance"]) == ("rating_gap", record["gap"])
        assert asked["accepted"] == round(least, 4)


@given(QUEUES(largest=10), RULES)
def test_two_thirds_of_the_most_at_least(tickets: Tickets, rules: Rules) -> None:
    found, most = len(pair_by_rating(tickets, rules)), largest_number(tickets, rules)
    # Any maximal matching has half of it; one that no path through a single pair improves, two thirds.
    assert 3 * found >= 2 * most
    assert found <= most


@given(QUEUES(largest=20))
def test_all_who_accept_anyone_are_paired(tickets: Tickets) -> None:
    pairs = pair_by_rating(tickets, Rules(gap_start=1000, gap_per_second=0))
    assert len(pairs.left) == len(tickets) % 2
    if pairs.left.size:
        assert seniority(tickets)[pairs.left] == len(tickets) - 1


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.sampled_from([3.0, 20.0, 60.0]), RULES)
@example(1, 60.0, Rules(gap_start=0, gap_per_second=4))  # the best caller of both of a pair
def test_promises_of_larger_queues(seed: int, apart: float, rules: Rules) -> None:
    rng = np.random.default_rng(seed)
    tickets = waiting(rng.uniform(0, 400 * apart, 400), rng.exponential(30, 400))
    pairs, is_allowed = pair_by_rating(tickets, rules), accepting(tickets, rules)
    assert is_allowed[pairs.first, pairs.second].all()
    assert not is_allowed[np.ix_(pairs.left, pairs.left)].any()
    assert_stable(tickets, rules, pairs)
    assert_no_pair_can_serve_four(tickets, rules, pairs)


def test_smaller_gaps_are_not_at_the_cost_of_the_older() -> None:
    # One of few queues in which the exchange of partners opens a place to somebody older.
    rng, rules = np.random.default_rng(49), Rules(gap_start=10, gap_per_second=2)
    tickets = waiting(rng.uniform(0, 20 * 1200, 1200), rng.exponential(30, 1200))
    assert_stable(tickets, rules, pair_by_rating(tickets, rules))


def test_nearly_always_the_most_there_can_be() -> None:
    # The longer somebody waits, the more they accept, from nothing on: where paths find most.
    rng, rules = np.random.default_rng(7), Rules(gap_start=0, gap_per_second=5)
    queues = [waiting(rng.uniform(0, 100, 10), rng.exponential(30, 10)) for _ in range(200)]
    found = [len(pair_by_rating(tickets, rules)) for tickets in queues]
    most = [largest_number(tickets, rules) for tickets in queues]
    assert sum(a == b for a, b in zip(found, most, strict=True)) >= 195
    assert sum(found) >= 0.99 * sum(most)


def assert_stable(tickets: Tickets, rules: Rules, pairs: Pairs) -> None:
    """Nobody left accepts somebody, and is accepted, whose partner has waited less."""
    partner, rank = partners(tickets, pairs), seniority(tickets)
    is_allowed = accepting(tickets, rules)
    for left in pairs.left:
        others = partner[np.flatnonzero(is_allowed[left])]
        assert (rank[others] < rank[left]).all()


def assert_no_pair_can_serve_four(tickets: Tickets, rules: Rules, pairs: Pairs) -> None:
    """Nowhere could both of a pair play two of those left instead of each other."""
    is_allowed = accepting(tickets, rules)
    for one, other in zip(pairs.first, pairs.second, strict=True):
        callers, others = pairs.left[is_allowed[one, pairs.left]], is_allowed[other, pairs.left]
        both = np.union1d(callers, pairs.left[others])
        assert not callers.size or not others.any() or both.size == 1
