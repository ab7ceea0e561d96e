"""Roles that teams need."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.pairing.teams.capacity import Roles
from matchmaking.pairing.teams.formation import find_groups
from tests.matchmaking.pairing.teams.pools import can_fill, plan_for, pool, teams_of

HEALER, TANK = 1, 2


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=3),
    st.lists(st.integers(0, 7), min_size=4, max_size=4),
)
def test_a_team_is_full_when_every_place_has_a_player(
    needed: list[int], players: list[int]
) -> None:
    roles = Roles({str(at): number for at, number in enumerate(needed)}, count=2, size=4)
    players = [bits & ((1 << len(needed)) - 1) for bits in players]
    filled = can_fill(needed, players)
    assert roles.fills(players) == filled
    assert roles.allows_team(roles.missing(players)) == filled


@given(st.permutations(range(12)), st.integers(0, 11), st.booleans())
def test_many_roles_are_given_one_by_one(order: list[int], at: int, misses: bool) -> None:
    roles = Roles({str(role): 1 for role in range(12)}, count=2, size=12)
    players = [1 << role | 1 << order[-1] for role in order]  # all could take the last one's role
    if misses:
        players[at] = 1 << order[at - 1]  # two for one role only, unless it is the last one's
        players[at - 1] = 1 << order[at - 1]
    assert roles.fills(players) == (not misses)


def test_a_team_with_more_roles_than_players_is_never_full() -> None:
    roles = Roles({"tank": 2, "healer": 2}, count=2, size=3)
    assert not roles.allows_team(roles.missing([0, 0, 0]))


def test_each_team_gets_what_it_needs() -> None:
    plan = plan_for(2, 2, settings={"teams": {"roles": "healer 1; tank 1"}})
    both = [[HEALER], [HEALER], [TANK], [TANK]]
    # By rating alone the two healers would play together: 1500 and 1530 against 1510 and 1520.
    matches = find_groups(pool([[1500], [1530], [1510], [1520]], roles=both), plan)
    assert [len({0, 1} & {*team}) for team in teams_of(matches, 0, 2)] == [1, 1]


def test_whoever_would_leave_a_role_empty_waits_for_somebody_else() -> None:
    tickets = pool(
        [[1500], [1501], [1502], [1503], [1540]],
        [9, 9, 9, 9, 0],
        roles=[[TANK], [TANK], [TANK], [TANK], [HEALER]],
    )
    plan = plan_for(2, 2, settings={"teams": {"roles": "healer 1; tank 1"}})
    assert find_groups(tickets, plan).left.tolist() == [0, 1, 2, 3, 4]
    more = pool(
        [[1500], [1501], [1502], [1503], [1540], [1560]],
        [9, 9, 9, 9, 0, 0],
        roles=[[TANK], [TANK], [TANK], [TANK], [HEALER], [0]],
    )
    assert {4, 5} <= {*find_groups(more, plan).ticket.tolist()}


def test_a_party_of_one_role_alone_waits_for_ever() -> None:
    tickets = pool([[1500, 1500], [1500], [1500]], roles=[[TANK, TANK], [0], [0]])
    plan = plan_for(2, 2, settings={"teams": {"roles": "healer 1; tank 1"}})
    assert np.array_equal(find_groups(tickets, plan).left, [0, 1, 2])
