"""What is said of a ticket that waits is what a sweep does: whoever fits is matched, and whom nobody fits is not."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from matchmaking.pairing import Rules, Tickets
from matchmaking.pairing.obstacles import HORIZON, later, look_for_obstacles
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import STRATEGIES, Settings
from matchmaking.pairing.strategies.choose import find_matches
from tests.forms import often
from tests.matchmaking.pairing.constrained import pools as duels
from tests.matchmaking.pairing.queues import by_rating, waiting
from tests.matchmaking.pairing.teams import pools as teams

_CASES = often(60, 500)


def strategies(plan: Plan) -> st.SearchStrategy[Plan]:
    """The same by every strategy, and while its pool is new."""
    named = st.sampled_from([*STRATEGIES]).map(
        lambda name: replace(plan, settings=replace(plan.settings, strategy=name))
    )
    bootstrap = replace(plan.settings.bootstrap, until=5)
    mixing = replace(plan, settings=replace(plan.settings, bootstrap=bootstrap), is_grown=False)
    return named | st.just(mixing)


@given(st.data(), duels.POOLS(largest=9), duels.PLANS(exact_up_to=3))
@settings(max_examples=_CASES)
def test_who_fits_is_matched_and_whom_nobody_fits_is_not(
    data: st.DataObject, tickets: Tickets, plan: Plan
) -> None:
    assume(len(tickets))
    plan = data.draw(strategies(plan))
    position = data.draw(st.integers(0, len(tickets) - 1))
    found, matches = look_for_obstacles(tickets, plan, position), find_matches(tickets, plan)
    fits, left = set(found.now.others.tolist()), set(matches.left.tolist())
    assert (position in left) == (not found.match.size)
    assert set(found.match.tolist()) - {position} <= fits
    if position in left:  # then all that fit were better off with others
        assert not fits & left
    refused = {other for one in found.obstacles for other in found.others[one.refused].tolist()}
    assert refused == set(found.others.tolist()) - fits
    if plan.settings.exchange.faster_at_extremes:
        return  # by that others decide how far two may be apart, and they are left out below
    for other in found.others.tolist():
        both = tickets.in_order(np.array([position, other]))
        assert len(find_matches(both, plan)) == (other in fits)
    if (first := found.first) is None:
        then = later(tickets, plan, HORIZON)
        for other in found.others.tolist():
            assert not len(find_matches(then.in_order(np.array([position, other])), plan))
    elif first.seconds:
        pair = np.array([position, int(first.others[0])])
        made = [
            len(find_matches(later(tickets, plan, seconds).in_order(pair), plan))
            for seconds in (first.seconds - 1, first.seconds)
        ]
        assert made == [0, 1]


@given(st.data(), teams.POOLS(largest=9, most=2), teams.PLANS())
@settings(max_examples=_CASES)
def test_without_enough_who_fit_there_is_no_match_of_teams(
    data: st.DataObject, tickets: Tickets, plan: Plan
) -> None:
    assume(len(tickets))
    plan = data.draw(strategies(plan))
    position = data.draw(st.integers(0, len(tickets) - 1))
    found, matches = look_for_obstacles(tickets, plan, position), find_matches(tickets, plan)
    is_left = position in matches.left
    assert is_left == (not found.match.size)
    assert set(found.match.tolist()) - {position} <= set(found.now.others.tolist())
    if found.is_unfit or not found.now.is_enough:
        assert is_left
    if (first := found.first) and first.seconds and not found.is_unfit:
        before = later(tickets, plan, first.seconds - 1)
        assert position in find_matches(before, plan).left


def test_each_condition_alone_in_turn_and_the_second_in_which_somebody_fits() -> None:
    plan = by_rating(Rules(gap_start=100.0, gap_per_second=5.0, gap_cap=300.0))
    sections = {"language": {"use": "must"}, "rematch": {"use": "drop", "after": 20}}
    plan = replace(plan, settings=Settings.build("filters", sections))
    tickets = duels.with_traits(
        waiting([1500, 1660, 1710, 2400, 1510], [10, 0, 0, 0, 0]),
        languages=[1, 1, 0, 2, 2],
    )
    found = look_for_obstacles(tickets, plan, 0)
    gap, language = (
        found.obstacles[0],
        next(one for one in found.obstacles if one.name == "language"),
    )
    assert (gap.name, gap.accepted, gap.distance.tolist()) == (
        "rating_gap", 150.0, [160.0, 210.0, 900.0, 10.0],
    )  # fmt: skip
    assert gap.by_ticket.tolist() == [True, True, True, False]
    assert gap.by_other.tolist() == [True, True, True, False]
    assert language.refused.tolist() == [False, False, True, True]
    assert not found.now.others.size
    assert found.first is not None
    # The other has waited for ten seconds less: 100 + 5 x 12 = 160.
    assert (found.first.seconds, found.first.gap) == (12, 210.0)
    assert found.first.others.tolist() == [1]
    assert [len(fit.others) for fit in found.fits] == [0, 1, 2, 2, 2, 2, 2]
    never = look_for_obstacles(tickets, plan, 3)
    assert never.first is None


@pytest.mark.parametrize(("size", "fits"), [(1, True), (2, True), (3, False)])
def test_a_party_that_finds_no_room_is_told_so(size: int, fits: bool) -> None:
    tickets = teams.pool([[1500.0] * 2, [1500.0] * size])
    found = look_for_obstacles(tickets, teams.plan_for(2, 2), 0)
    assert (found.obstacles[0].name, found.obstacles[0].refused.tolist()) == ("size", [not fits])
    assert look_for_obstacles(tickets, teams.plan_for(2, 2), 1).is_unfit == (size > 2)
    assert found.needed == 2
