"""Buckets: the walk through the levels, borders of classes, and what always holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.pairing import Tickets
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.strategies.buckets import enter_levels, find_in_buckets, shared_levels
from ratings.systems import ParameterError
from ratings.systems.arrays import Bools
from tests.matchmaking.pairing.strategies.pools import (
    POOLS,
    buckets_plan,
    matches_of,
    pool,
    reorder,
)

FOUR_LEVELS = "language, skill: 10; language: 10; skill: 10; anyone: 10"
GERMAN, FRENCH = 1, 2
BEGINNER, OTHER, ADVANCED = 1100.0, 1500.0, 1900.0


def levels_of(tickets: Tickets, levels: str) -> list[list[int]]:
    """For each ticket the numbers of the levels that it has entered."""
    entered = enter_levels(tickets, buckets_plan(levels))
    return [
        [number for number, one in enumerate(entered, start=1) if ticket in one.ticket]
        for ticket in range(len(tickets))
    ]


def walk(at: float) -> Tickets:
    """A (German, beginner) came at 0 s, B (French, advanced) at 20 s, C (French, another class) at 30 s."""
    came = [0.0, 20.0, 30.0]
    count = sum(moment <= at for moment in came)
    return pool(
        [BEGINNER, ADVANCED, OTHER][:count],
        [at - moment for moment in came[:count]],
        languages=[GERMAN, FRENCH, FRENCH][:count],
    )


@pytest.mark.parametrize(
    ("at", "levels"),
    [
        (0.0, [[1]]),
        (10.0, [[1, 2]]),
        (20.0, [[1, 2, 3], [1]]),
        (30.0, [[1, 2, 3, 4], [1, 2], [1]]),
    ],
)
def test_walk_through_sinks_and_stays_in_every_level_entered(
    at: float, levels: list[list[int]]
) -> None:
    tickets = walk(at)

    assert levels_of(tickets, FOUR_LEVELS) == levels
    assert len(find_in_buckets(tickets, buckets_plan(FOUR_LEVELS))) == 0


def test_walk_through_ends_with_b_on_level_3_meeting_c_on_level_2() -> None:
    tickets, plan = walk(40.0), buckets_plan(FOUR_LEVELS)

    assert levels_of(tickets, FOUR_LEVELS) == [[1, 2, 3, 4], [1, 2, 3], [1, 2]]
    matches = find_in_buckets(tickets, plan)
    assert matches_of(matches) == [[1, 2]]
    assert shared_levels(tickets, plan, matches).tolist() == [2]
    assert matches.left.tolist() == [0]  # A waits on: both have left every bucket


def test_two_at_a_border_never_meet_early() -> None:
    plan = buckets_plan("skill: 10; anyone: 20", borders="1500, 1610, 1700")

    assert matches_of(find_in_buckets(pool([1600, 1620], [9.9, 9.9]), plan)) == []
    assert matches_of(find_in_buckets(pool([1600, 1620, 1530], [9.9, 9.9, 0]), plan)) == [[0, 2]]
    assert matches_of(find_in_buckets(pool([1600, 1620], [10.0, 10.0]), plan)) == [[0, 1]]


def test_a_class_begins_at_its_border() -> None:
    plan = buckets_plan("skill: 10", borders="1500")

    assert matches_of(find_in_buckets(pool([1500, 1499.9, 1800]), plan)) == [[0, 2]]


def test_without_a_last_level_for_anyone_some_wait_for_ever() -> None:
    tickets = pool([1100, 1900], [3000.0, 3000.0])

    assert matches_of(find_in_buckets(tickets, buckets_plan("skill: 10"))) == []
    assert matches_of(find_in_buckets(tickets, buckets_plan("skill: 10; anyone"))) == [[0, 1]]


def test_whoever_names_no_language_starts_lower() -> None:
    tickets = pool([1500, 1500], [0.0, 10.0], languages=[0, 0])

    assert levels_of(tickets, FOUR_LEVELS) == [[3], [3, 4]]
    speaking = pool([1500, 1500, 1500], [0.0, 0.0, 20.0], languages=[0, GERMAN, FRENCH])
    found = find_in_buckets(speaking, buckets_plan(FOUR_LEVELS))
    assert matches_of(found) == [[0, 2]]  # the German is on level 1 alone


def test_whoever_names_no_language_is_in_all_buckets_where_no_level_does_without() -> None:
    tickets = pool([1500, 1510, 1490], languages=[0, GERMAN, FRENCH])

    assert levels_of(tickets, "language, skill: 1; language") == [[1], [1], [1]]
    found = find_in_buckets(tickets, buckets_plan("language, skill: 1; language"))
    assert len(found) == 1
    assert 0 in matches_of(found)[0]


def test_several_languages_are_several_buckets() -> None:
    plan = buckets_plan("language: 10")

    both = pool([1500, 1700, 1540], languages=[GERMAN | FRENCH, GERMAN, FRENCH])
    assert matches_of(find_in_buckets(both, plan)) == [[0, 2]]  # the nearest of both buckets
    apart = pool([1500, 1500], languages=[GERMAN, FRENCH])
    assert matches_of(find_in_buckets(apart, plan)) == []


def test_regions_are_buckets_too() -> None:
    plan = buckets_plan("region, skill: 10; skill: 10")

    near = pool([1500, 1510, 1590], [5, 5, 5], regions=[1, 2, 1])
    assert matches_of(find_in_buckets(near, plan)) == [[0, 2]]


def test_strict_levels_come_first() -> None:
    plan = buckets_plan("language, skill: 1; skill: 10")

    tickets = pool([1500, 1500, 1590], [5, 5, 5], languages=[GERMAN, FRENCH, GERMAN])
    assert matches_of(find_in_buckets(tickets, plan)) == [[0, 2]]


def test_the_oldest_takes_the_nearest() -> None:
    tickets = pool([1500, 1490, 1530, 1525], [9, 1, 5, 0])

    found = find_in_buckets(tickets, buckets_plan("anyone"))
    assert sorted(matches_of(found)) == [[0, 1], [2, 3]]


def test_filters_hold_inside_where_they_are_asked_for() -> None:
    tickets = pool([1410, 1590], [0, 0])  # one class, further apart than 100 points

    assert len(find_in_buckets(tickets, buckets_plan("skill: 10"))) == 1
    assert len(find_in_buckets(tickets, buckets_plan("skill: 10", filters_inside=True))) == 0


def test_teams_come_from_one_bucket_with_parties_whole() -> None:
    plan = buckets_plan("skill: 10", team_size=2)

    tickets = pool([1450, 1410, 1590, 1650, 1500], [5, 4, 3, 2, 1], sizes=[1, 1, 2, 2, 2])
    assert matches_of(find_in_buckets(tickets, plan)) == [[0, 1, 4]]


def test_levels_are_read_with_care() -> None:
    with pytest.raises(ParameterError, match=r"buckets\.levels"):
        Settings.build("buckets", {"buckets": {"levels": "tongue: 5"}})


LEVELS = st.sampled_from(
    [
        FOUR_LEVELS,
        "skill: 10; anyone: 20",
        "language, region: 5; language: 10; region: 10",
        "region, skill: 0; language",
        "anyone",
    ]
)


@given(tickets=POOLS(), levels=LEVELS)
def test_only_those_who_share_a_bucket_meet_and_all_of_them_do(
    tickets: Tickets, levels: str
) -> None:
    plan = buckets_plan(levels)
    found = find_in_buckets(tickets, plan)

    assert np.unique(found.ticket).size == found.ticket.size
    assert sorted([*found.ticket.tolist(), *found.left.tolist()]) == list(range(len(tickets)))
    shared = shares(tickets, levels)
    avoided = tickets.ties["avoided"]
    for one, other in matches_of(found):
        assert shared[one, other]
        assert not avoided.between(np.array([one]), np.array([other])) > 0
    low, high = (found.left[ends] for ends in np.triu_indices(len(found.left), k=1))
    is_avoided = avoided.between(low, high) > 0
    assert not (shared[low, high] & ~is_avoided).any()


@given(tickets=POOLS(largest_party=2), levels=LEVELS)
def test_groups_are_whole_and_of_one_bucket(tickets: Tickets, levels: str) -> None:
    plan = buckets_plan(levels, team_size=2)
    found = find_in_buckets(tickets, plan)

    assert np.unique(found.ticket).size == found.ticket.size
    assert (shared_levels(tickets, plan, found) > 0).all()
    sizes = tickets.members.sizes
    filled = np.bincount(2 * found.match + found.team, weights=sizes[found.ticket])
    assert (filled == 2).all()


@given(data=st.data(), tickets=POOLS(), levels=LEVELS)
def test_the_order_of_tickets_does_not_matter(
    data: st.DataObject, tickets: Tickets, levels: str
) -> None:
    order = data.draw(st.permutations(range(len(tickets))))
    plan = buckets_plan(levels)
    tickets = reorder(tickets, range(len(tickets)))

    there = find_in_buckets(tickets, plan)
    back = find_in_buckets(reorder(tickets, order), plan)
    assert [[tickets.id[one] for one in two] for two in matches_of(there)] == [
        sorted(tickets.id[order[one]] for one in two) for two in matches_of(back)
    ]


def shares(tickets: Tickets, levels: str) -> Bools:
    """(n, n) whether two are in one bucket of any level, said in another way than the code's."""
    n, entered = len(tickets), levels_of(tickets, levels)
    share = np.zeros((n, n), dtype=np.bool_)
    for number, words in enumerate(levels.split(";"), start=1):
        criteria = words.split(":")[0].replace(",", " ").split()
        inside = [ticket for ticket in range(n) if number in entered[ticket]]
        for one in inside:
            for other in inside:
                share[one, other] |= all(agree(tickets, word, one, other) for word in criteria)
    return share


def agree(tickets: Tickets, criterion: str, one: int, other: int) -> bool:
    if criterion == "anyone":
        return True
    if criterion == "skill":
        low, high = sorted((tickets.rating[one], tickets.rating[other]))
        return not any(low < border <= high for border in Settings().borders)
    named = tickets.traits[f"{criterion}s"]
    mine, theirs = int(named[one]), int(named[other])
    return mine == 0 or theirs == 0 or bool(mine & theirs)
