"""First come, first served: the next to arrive, whoever it is."""

import numpy as np
from hypothesis import given

from matchmaking.pairing import Tickets
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.strategies.greedy import find_in_order
from tests.matchmaking.pairing.strategies.pools import POOLS, matches_of, plan_of, pool, ties


def test_each_meets_the_next_to_arrive() -> None:
    tickets = pool([1500, 900, 1510, 2400, 1505], [1, 5, 3, 4, 2])

    found = find_matches(tickets, plan_of("fcfs"))
    assert matches_of(found) == [[1, 3], [2, 4]]
    assert found.left.tolist() == [0]
    assert found.gap.tolist() == [1500.0, 5.0]


def test_nobody_meets_whom_they_avoid() -> None:
    tickets = pool([1500] * 4, [4, 3, 2, 1], avoided=ties((0, 1)))

    assert matches_of(find_in_order(tickets, plan_of("fcfs"))) == [[0, 2], [1, 3]]


def test_an_operator_may_switch_avoid_lists_off() -> None:
    tickets = pool([1500] * 2, avoided=ties((0, 1)))

    off = plan_of("fcfs", avoided={"use": "off"})
    assert matches_of(find_in_order(tickets, off)) == [[0, 1]]
    assert matches_of(find_in_order(tickets, plan_of("fcfs"))) == []


def test_teams_fill_in_the_order_of_arrival_with_parties_whole() -> None:
    tickets = pool([1500] * 6, [6, 5, 4, 3, 2, 1], sizes=[2, 2, 2, 1, 1, 1])

    found = find_in_order(tickets, plan_of("fcfs", team_size=3))
    assert matches_of(found) == [[0, 1, 3, 4]]  # a third party of two would find no team
    assert found.left.tolist() == [2, 5]


@given(tickets=POOLS())
def test_one_is_left_at_most_who_avoids_nobody(tickets: Tickets) -> None:
    found = find_in_order(tickets, plan_of("fcfs"))

    assert sorted([*found.ticket.tolist(), *found.left.tolist()]) == list(range(len(tickets)))
    low, high = (found.left[ends] for ends in np.triu_indices(len(found.left), k=1))
    assert (tickets.ties["avoided"].between(low, high) > 0).all()


@given(tickets=POOLS(largest_party=3))
def test_teams_are_full_and_parties_whole(tickets: Tickets) -> None:
    found = find_in_order(tickets, plan_of("fcfs", team_count=3, team_size=3))

    assert np.unique(found.ticket).size == found.ticket.size
    filled = np.bincount(3 * found.match + found.team, weights=tickets.members.sizes[found.ticket])
    assert (filled == 3).all()
