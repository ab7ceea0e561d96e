"""What every sweep promises, over any tickets and any conditions, those of a game's own as well."""

from random import Random
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.pairing import Pairs, Tickets
from matchmaking.pairing.conditions import Hold
from matchmaking.pairing.duels import candidate_graph, maximal_matching
from matchmaking.pairing.plan import Plan, conditions_of, costs_of
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.strategies.filters import pair_by
from tests.matchmaking.pairing.constrained.pools import (
    PLANS,
    POOLS,
    accepting,
    costs,
    reordered,
)
from tests.matchmaking.pairing.reference import partners, seniority

ANY = PLANS() | PLANS(exact_up_to=100)


def found(tickets: Tickets, plan: Plan) -> Pairs:
    return pair_by(tickets, conditions_of(plan), exact_up_to=plan.settings.exchange.exact_up_to)


@given(POOLS(), ANY)
def test_mutual_and_each_once(tickets: Tickets, plan: Plan) -> None:
    pairs = found(tickets, plan)
    assert accepting(tickets, conditions_of(plan))[pairs.first, pairs.second].all()
    everyone = np.concatenate((pairs.first, pairs.second, pairs.left))
    assert sorted(everyone.tolist()) == list(range(len(tickets)))


@given(POOLS(), ANY)
def test_maximal(tickets: Tickets, plan: Plan) -> None:
    left = found(tickets, plan).left
    assert not accepting(tickets, conditions_of(plan))[np.ix_(left, left)].any()


@given(POOLS(), ANY)
def test_longest_first(tickets: Tickets, plan: Plan) -> None:
    pairs, rank = found(tickets, plan), seniority(tickets)
    assert_nobody_gains_by_a_swap(tickets, plan, pairs)
    assert (rank[pairs.first] < rank[pairs.second]).all()
    assert (np.diff(rank[pairs.first]) > 0).all()
    assert (np.diff(rank[pairs.left]) > 0).all()


@given(POOLS(), PLANS())
def test_the_same_when_little_can_be_asked(tickets: Tickets, plan: Plan) -> None:
    with patch.multiple(candidate_graph, _AT_ONCE=4, _MANY=0, _NEAREST=1, _ENOUGH=1, _FURTHER=2):
        pairs = found(tickets, plan)
    left = pairs.left
    assert not accepting(tickets, conditions_of(plan))[np.ix_(left, left)].any()
    assert_nobody_gains_by_a_swap(tickets, plan, pairs)


@given(POOLS(), PLANS())
def test_how_much_is_asked_at_once_does_not_show(tickets: Tickets, plan: Plan) -> None:
    with (
        patch.object(candidate_graph, "_AT_ONCE", 3),
        patch.object(maximal_matching, "_AT_ONCE", 2),
    ):
        in_parts = found(tickets, plan)
    whole = found(tickets, plan)
    for name in ("first", "second", "left"):
        assert getattr(in_parts, name).tolist() == getattr(whole, name).tolist()


def assert_nobody_gains_by_a_swap(tickets: Tickets, plan: Plan, pairs: Pairs) -> None:
    """Nobody left accepts somebody, and is accepted, whose partner has waited less.

    Where pairs are held back, those released are taken best first instead.
    """
    if any(isinstance(condition, Hold) for condition in conditions_of(plan)):
        return
    partner, rank = partners(tickets, pairs), seniority(tickets)
    is_allowed = accepting(tickets, conditions_of(plan))
    for left in pairs.left:
        assert (rank[partner[np.flatnonzero(is_allowed[left])]] < rank[left]).all()


@given(POOLS(), ANY, st.randoms(use_true_random=False))
def test_any_order(tickets: Tickets, plan: Plan, random: Random) -> None:
    order = list(range(len(tickets)))
    random.shuffle(order)
    shuffled = reordered(tickets, order)
    one, other = found(tickets, plan), found(shuffled, plan)
    for name in ("first", "second", "left"):
        mine, theirs = tickets.id[getattr(one, name)], shuffled.id[getattr(other, name)]
        assert mine.tolist() == theirs.tolist()


@given(POOLS(), ANY)
def test_matches_say_what_the_pairs_cost(tickets: Tickets, plan: Plan) -> None:
    matches = find_matches(tickets, plan)
    first, second = matches.ticket[::2], matches.ticket[1::2]
    expected = costs(tickets, conditions_of(plan))[first, second]
    assert np.allclose(matches.cost, expected, rtol=0, atol=1e-9)
    assert np.array_equal(matches.cost, costs_of(tickets, conditions_of(plan), first, second))
    assert ((matches.chance >= 0) & (matches.chance <= 1)).all()
    assert matches.team.tolist() == [0, 1] * len(matches)
