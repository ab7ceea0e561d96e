"""What every match of teams keeps to, and who may be left waiting."""

from itertools import combinations
from random import Random

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.teams.formation import find_groups
from matchmaking.pairing.tickets import Tickets
from tests.forms import often
from tests.matchmaking.pairing.teams.pools import (
    PLANS,
    POOLS,
    accepting,
    all_splits,
    can_fill,
    groups_of,
    plan_for,
    pool,
    reordered,
    teams_of,
    tolerance,
)

EVERY_MAP = 7


@given(POOLS(), st.randoms(use_true_random=False))
def test_parties_keep_together_in_any_order(tickets: Tickets, random: Random) -> None:
    order = list(range(len(tickets)))
    random.shuffle(order)
    put = tickets.in_order(np.array(order, dtype=np.int64))
    expected = reordered(tickets, order)
    for name in ("id", "player", "rating", "waited"):
        assert getattr(put, name).tolist() == getattr(expected, name).tolist()
    for name in ("ticket", "player", "rating", "roles"):
        assert getattr(put.members, name).tolist() == getattr(expected.members, name).tolist()
    for name, column in expected.traits.items():
        assert put.traits[name].tolist() == column.tolist()
    for name, tie in expected.ties.items():
        ends = put.ties[name].one.tolist(), put.ties[name].other.tolist()
        assert ends == (tie.one.tolist(), tie.other.tolist())


def fills_roles(tickets: Tickets, plan: Plan, team: list[int]) -> bool:
    """Whether the players of a team fill what it needs."""
    members = np.isin(tickets.members.ticket, team)
    return can_fill([*plan.settings.roles.values()], tickets.members.roles[members].tolist())


def could_play(tickets: Tickets, plan: Plan, group: list[int]) -> bool:
    """Whether the group could be a match, by trying every split."""
    sizes = tickets.members.sizes[group].tolist()
    if sum(sizes) != plan.team_count * plan.team_size or not accepting(tickets, plan, group):
        return False
    vetoed = np.bitwise_or.reduce(tickets.traits["maps_vetoed"][group])
    if plan.settings.game_maps and vetoed == EVERY_MAP:
        return False
    return any(
        all(
            fills_roles(tickets, plan, [g for g, t in zip(group, team, strict=True) if t == number])
            for number in range(plan.team_count)
        )
        for team in all_splits(sizes, plan.team_count, plan.team_size)
    )


def walk(tickets: Tickets, plan: Plan, seeker: int, others: list[int]) -> bool:
    """Whether going through the others nearest first, taking everyone who suits, fills a match."""
    rating, sizes = tickets.rating, tickets.members.sizes
    near = sorted(
        others,
        key=lambda other: (
            abs(rating[other] - rating[seeker]),
            rating[other] > rating[seeker],
            -tickets.id[other] if rating[other] < rating[seeker] else tickets.id[other],
        ),
    )
    group, places = [seeker], plan.team_count * plan.team_size
    for other in near:
        tried = [*group, other]
        left = places - int(sizes[tried].sum())
        filled = sizes[tried].tolist() + [1] * left
        if left < 0 or not accepting(tickets, plan, tried):
            continue
        if not any(True for _ in all_splits(filled, plan.team_count, plan.team_size)):
            continue
        group = tried
        if not left:
            return True
    return False


def check(tickets: Tickets, plan: Plan, found: ProposedMatches) -> None:
    """That the matches hold all that is promised of them."""
    everybody = np.concatenate((found.ticket, found.left))
    assert np.array_equal(np.sort(everybody), np.arange(len(tickets)))
    by_age = tickets.by_age()
    assert found.left.tolist() == by_age[np.isin(by_age, found.left)].tolist()
    for match, group in enumerate(groups_of(found)):
        assert accepting(tickets, plan, group)
        teams = teams_of(found, match, plan.team_count)
        for team in teams:
            assert tickets.members.sizes[team].sum() == plan.team_size
            assert fills_roles(tickets, plan, team)
        means = [
            (tickets.rating[team] * tickets.members.sizes[team]).sum() / plan.team_size
            for team in teams
        ]
        assert np.isclose(found.gap[match], max(means) - min(means), atol=1e-6)
        if plan.settings.game_maps:
            vetoed = np.bitwise_or.reduce(tickets.traits["maps_vetoed"][group])
            assert not vetoed >> found.map[match] & 1


@settings(max_examples=often(50, 150))
@given(POOLS(), PLANS())
def test_every_match_keeps_to_everything(tickets: Tickets, plan: Plan) -> None:
    found = find_matches(tickets, plan)
    event(f"{len(found)} matches")
    check(tickets, plan, found)


@settings(max_examples=often(26, 80))
@given(POOLS(), PLANS(), st.randoms(use_true_random=False))
def test_the_order_of_the_tickets_does_not_matter(
    tickets: Tickets, plan: Plan, rng: object
) -> None:
    order = list(range(len(tickets)))
    rng.shuffle(order)  # type: ignore[attr-defined]
    again = reordered(tickets, order)
    one, other = find_matches(tickets, plan), find_matches(again, plan)
    assert tickets.id[one.ticket].tolist() == again.id[other.ticket].tolist()
    assert one.team.tolist() == other.team.tolist()
    assert one.map.tolist() == other.map.tolist()
    assert np.array_equal(one.chance, other.chance, equal_nan=True)


@settings(max_examples=often(26, 80))
@given(POOLS(largest=9), PLANS())
def test_nobody_left_fills_a_match_by_taking_the_nearest(tickets: Tickets, plan: Plan) -> None:
    if plan.settings.roles or plan.settings.game_maps:
        return  # the slow walk knows neither
    left = find_groups(tickets, plan).left.tolist()
    sizes = tickets.members.sizes
    left = [ticket for ticket in left if sizes[ticket] <= plan.team_size]
    for seeker in left:
        assert not walk(tickets, plan, seeker, [other for other in left if other != seeker])


@settings(max_examples=often(33, 100))
@given(POOLS(), PLANS())
def test_nobody_who_waits_could_take_the_place_of_a_younger(tickets: Tickets, plan: Plan) -> None:
    found, sizes = find_groups(tickets, plan), tickets.members.sizes
    rank = np.argsort(tickets.by_age())
    for group in groups_of(found):
        for older in found.left.tolist():
            for younger in group:
                if rank[older] < rank[younger] and sizes[older] == sizes[younger]:
                    event("somebody waits who is older")
                    others = [ticket for ticket in group if ticket != younger]
                    assert not could_play(tickets, plan, [older, *others])


@settings(max_examples=often(50, 150))
@given(POOLS(largest=12, alone=True), st.sampled_from([(2, 2), (3, 1), (4, 1), (2, 3)]), st.data())
def test_of_single_players_under_the_spread_alone_no_match_is_left(
    tickets: Tickets, shape: tuple[int, int], data: st.DataObject
) -> None:
    chosen: dict[str, dict[str, object]] = {
        "teams": {
            "spread_start": data.draw(st.sampled_from([0.0, 50.0, 120.0])),
            "spread_per_second": data.draw(st.sampled_from([0.0, 2.0])),
        },
        **{name: {"use": "off"} for name in ("avoided", "conduct", "rematch")},
    }
    plan = plan_for(*shape, settings=chosen)
    left = find_groups(tickets, plan).left.tolist()
    for group in combinations(left, shape[0] * shape[1]):
        ratings = tickets.rating[list(group)]
        assert any(np.ptp(ratings) > tolerance(tickets, plan, one) for one in group)


@settings(max_examples=often(20, 60))
@given(st.sampled_from([(2, 5), (3, 4), (2, 3), (4, 1)]), st.data())
def test_those_who_are_one_match_exactly_play_it(
    shape: tuple[int, int], data: st.DataObject
) -> None:
    count, size = shape
    parties: list[list[float]] = []
    for _ in range(count):
        free = size
        while free:
            party = data.draw(st.integers(1, free))
            parties.append(
                data.draw(st.lists(st.floats(1400, 1600), min_size=party, max_size=party))
            )
            free -= party
    tickets = pool(data.draw(st.permutations(parties)))
    found = find_groups(tickets, plan_for(count, size))
    assert (len(found), found.left.size) == (1, 0)
    check(tickets, plan_for(count, size), found)


def test_whoever_waited_longest_is_served_first() -> None:
    tickets = pool([[1500], [1510], [1520], [1530], [1540]], [0, 10, 10, 10, 10])
    assert find_groups(tickets, plan_for(2, 2)).left.tolist() == [0]


def test_ten_teams_of_ten() -> None:
    tickets = pool([[1500.0 + n] for n in range(105)])
    found = find_groups(tickets, plan_for(10, 10))
    assert (len(found), found.left.size) == (1, 5)
    assert np.bincount(found.team).tolist() == [10] * 10


def test_a_hundred_against_each_other() -> None:
    tickets = pool([[1500.0 + n] for n in range(205)])
    found = find_groups(tickets, plan_for(100, 1))
    assert (len(found), found.left.size) == (2, 5)
    assert np.isnan(found.chance).all()


def test_nobody_waits() -> None:
    found = find_matches(pool([]), plan_for(2, 5))
    assert (len(found), found.left.size) == (0, 0)


def test_a_party_larger_than_a_team_is_left() -> None:
    tickets = pool([[1500] * 3, [1500, 1500], [1500, 1500]])
    assert find_groups(tickets, plan_for(2, 2)).left.tolist() == [0]
