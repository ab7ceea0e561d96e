"""Who is taken into a match of teams, where some are liked better than others."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings

from matchmaking.pairing.plan import Plan, conditions_of
from matchmaking.pairing.teams.formation import find_groups
from matchmaking.pairing.teams.pool import TeamPool
from matchmaking.pairing.teams.search import Dislikes
from matchmaking.pairing.tickets import Tickets
from tests.matchmaking.pairing.teams.pools import (
    PLANS,
    POOLS,
    accepting,
    groups_of,
    plan_for,
    pool,
)

PREFER = {"language": {"use": "prefer", "seconds": 20}}
# Two languages, rated in turns, 5 points apart: 20 seconds are worth 100 points.
MIXED = pool([[1500.0 + 5 * at] for at in range(8)], languages=[1, 2] * 4)


def languages_of(tickets: Tickets, plan: Plan) -> list[list[int]]:
    """Of each match the languages of its tickets."""
    groups = groups_of(find_groups(tickets, plan))
    return sorted(sorted(tickets.traits["languages"][group].tolist()) for group in groups)


def test_those_who_speak_alike_are_taken() -> None:
    assert languages_of(MIXED, plan_for(2, 2, settings=PREFER)) == [[1] * 4, [2] * 4]


def test_what_is_worth_little_does_not_outweigh_the_ratings() -> None:
    little = plan_for(2, 2, settings={"language": {"use": "prefer", "seconds": 0.5}})
    assert languages_of(MIXED, little) == [[1, 1, 2, 2]] * 2


def test_nobody_waits_for_those_who_speak_alike() -> None:
    strangers = pool([[1500.0 + 5 * at] for at in range(4)], languages=[1, 2, 4, 8])
    assert len(find_groups(strangers, plan_for(2, 2, settings=PREFER))) == 1


def test_whoever_speaks_both_is_no_way_out() -> None:
    # The oldest speaks any language: those taken next decide who is liked.
    tickets = pool(
        [[1500.0], [1501.0], [1502.0], [1503.0], [1504.0], [1505.0]],
        [9.0, 5.0, 0.0, 5.0, 0.0, 5.0],
        languages=[3, 1, 2, 1, 2, 1],
    )
    assert languages_of(tickets, plan_for(2, 2, settings=PREFER)) == [[1, 1, 1, 3]]


@settings(max_examples=40)
@given(POOLS(), PLANS())
def test_costs_are_those_of_every_two_who_may_meet(tickets: Tickets, plan: Plan) -> None:
    team_pool = TeamPool(tickets, plan)
    places = list(range(len(tickets)))[:6]
    found = Dislikes(tickets, team_pool.order, team_pool.costing).between(places)
    assert np.array_equal(found, found.T)
    for one, other in combinations(places, 2):
        pair = [int(team_pool.order[one]), int(team_pool.order[other])]
        if team_pool.costing and accepting(tickets, plan, pair):
            ends = np.array(pair[:1]), np.array(pair[1:])
            cost = sum(each.cost(tickets, *ends)[0] for each in conditions_of(plan))
            assert found[one, other] == pytest.approx(cost, abs=1e-9)
