"""When two meet: held back while waiting is likely to bring somebody nearer, and released in the end."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.pairing import Plan, Rules, Tickets, find_matches
from matchmaking.pairing.arrivals import ArrivalRates
from matchmaking.pairing.conditions import Hold
from matchmaking.pairing.obstacles import look_for_obstacles
from matchmaking.pairing.plan import conditions_of
from matchmaking.pairing.settings import Settings
from tests.matchmaking.pairing.queues import QUEUES, waiting


def evenly(per_second_and_point: float) -> ArrivalRates:
    """As many at every rating."""
    return ArrivalRates(
        rating=np.linspace(0, 3000, 301), per_second=np.full(301, per_second_and_point)
    )


def plan(
    rates: ArrivalRates | None,
    *,
    at_most: float = 120.0,
    points: float = 5.0,
    team_size: int = 1,
    exact_up_to: int = 100,
) -> Plan:
    settings = Settings.build(
        "filters",
        {
            "timing": {"holds": True, "at_most": at_most},
            "exchange": {"points_per_second": points, "exact_up_to": exact_up_to},
        },
    )
    rules = Rules(gap_start=1e6, gap_per_second=0)
    return Plan(settings=settings, rules=rules, arrivals=rates, team_size=team_size)


def hold(of: Plan) -> Hold:
    found = Hold.of(of)
    assert found is not None
    return found


def left(tickets: Tickets, of: Plan) -> float:
    one, other = np.array([0]), np.array([1])
    there, back = hold(of).distance(tickets, one, other), hold(of).distance(tickets, other, one)
    assert there.tolist() == back.tolist()
    return float(there[0])


def test_golden_seconds() -> None:
    # A ticket in 1,000 s for each point: within d points 0.002 d a second, which save 0.001 d^2 points a second.
    # Where a second is worth 5, that is as good as d = sqrt(5 / 0.001).
    of = plan(evenly(0.001))
    gap = math.sqrt(5000)
    expected = hold(of).expected.at(np.array([1500.0, 1400.0]))
    assert expected.tolist() == pytest.approx([gap, gap])
    assert left(waiting([1500, 1570]), of) == 0.0
    # Of two who came together, four thirds of it are held for half of 120 s, twice for the root of a half of them.
    far = 1500 + 4 / 3 * gap
    assert left(waiting([1500, far]), of) == pytest.approx(60.0)
    assert left(waiting([1500, 1500 + 2 * gap]), of) == pytest.approx(120 * math.sqrt(0.5))
    # What the two accept is taken together: 5/3 of the gap after the root of 2/5 of the time, and the gap itself.
    assert left(waiting([1500, far], [120 * math.sqrt(0.4) - 1e-6, 0]), of) < 1e-3
    assert left(waiting([1500, far], [120 * math.sqrt(0.4), 0]), of) == pytest.approx(0, abs=1e-3)
    assert 0 < left(waiting([1500, far], [60, 0]), of) < 60


def test_the_gap_to_expect_is_where_a_second_saves_what_it_is_worth() -> None:
    rates = ArrivalRates.learned(np.random.default_rng(3).normal(1500, 300, 500), 1000.0)
    assert rates is not None
    at, points = np.array([900.0, 1500.0, 2100.0]), 7.0
    gaps = rates.expected_gaps(points).at(at)
    for here, gap in zip(at.tolist(), gaps.tolist(), strict=True):
        # Added up another way: everybody nearer saves the difference.
        there = np.linspace(rates.rating[0], rates.rating[-1], 200_001)
        rate = np.interp(there, rates.rating, rates.per_second)
        saved = (rate * np.maximum(gap - np.abs(there - here), 0)).sum() * (there[1] - there[0])
        assert saved == pytest.approx(points, rel=0.02)
    assert gaps[1] < gaps[0]
    # Where nobody comes, they are as far away as that.
    edge = float(rates.rating[-1])
    beyond = rates.expected_gaps(points).at(np.array([edge, edge + 500]))
    assert beyond[1] - beyond[0] == pytest.approx(500)


def test_the_busier_the_longer_and_the_dearer_a_second_the_shorter() -> None:
    tickets = waiting([1500, 1650])
    busy, quiet = plan(evenly(0.1)), plan(evenly(0.0001))
    assert left(tickets, busy) > left(tickets, plan(evenly(0.001))) > left(tickets, quiet) == 0.0
    assert left(tickets, plan(evenly(0.001), points=20)) < left(tickets, plan(evenly(0.001)))


def test_those_for_whom_few_come_are_not_held_for_somebody_who_does_not_exist() -> None:
    rates = ArrivalRates(
        rating=np.array([0.0, 1400.0, 1600.0, 1601.0, 3000.0]),
        per_second=np.array([1e-9, 0.01, 0.01, 1e-9, 1e-9]),
    )
    assert left(waiting([1500, 1700]), plan(rates)) > 0.0
    # Whoever stands at 2900 finds nobody nearer than some hundred points, however long the two wait.
    assert left(waiting([2700, 2900]), plan(rates)) == 0.0


def test_nobody_is_held_for_longer_than_the_queue_says() -> None:
    tickets = waiting([1500, 2500], [0, 12])
    assert 15 < left(tickets, plan(evenly(0.001), at_most=30)) < 18.0
    assert left(waiting([1500, 2500], [0, 30]), plan(evenly(0.001), at_most=30)) == 0.0
    assert left(waiting([1500, 2500]), plan(evenly(0.001), at_most=0)) == 0.0


def test_the_best_of_those_released_goes_first_and_waiting_counts() -> None:
    of = plan(evenly(0.001))

    def matched(*waited: float) -> list[int]:
        return sorted(find_matches(waiting([1500, 1510, 1560], waited), of).ticket.tolist())

    # A second is worth 5 points: who has waited for 6 s more does not take the place of one 40 points nearer.
    assert matched(0, 0, 6) == [0, 1]
    assert matched(0, 0, 10) == [1, 2]


@given(QUEUES(largest=12), st.sampled_from([1e-5, 1e-3, 0.1]), st.sampled_from([0, 20, 120]))
def test_what_is_accepted_grows_without_a_jump(
    tickets: Tickets, rate: float, at_most: float
) -> None:
    """Of two pairs of the same waits the one further apart is held longer, and none beyond the limit."""
    condition = hold(plan(evenly(rate), at_most=at_most))
    one, other = np.triu_indices(len(tickets), 1)
    held = condition.distance(tickets, one, other)
    longer = np.maximum(tickets.waited[one], tickets.waited[other])
    assert (held <= np.maximum(at_most - longer, 0)).all()
    apart = replace(tickets, rating=1500 + 2 * (tickets.rating - 1500))
    assert (condition.distance(apart, one, other) >= held - 1e-6).all()


@given(QUEUES(largest=30), st.sampled_from([1e-6, 1e-4, 1e-2]), st.sampled_from([0, 100]))
def test_two_who_are_released_are_never_both_left(tickets: Tickets, rate: float, few: int) -> None:
    of = plan(evenly(rate), at_most=60, exact_up_to=few)
    found = find_matches(tickets, of)
    one, other = (found.left[index] for index in np.triu_indices(len(found.left), 1))
    assert (hold(of).distance(tickets, one, other) > 0).all()
    pairs = found.ticket.reshape(-1, 2)
    assert (hold(of).distance(tickets, pairs[:, 0], pairs[:, 1]) == 0).all()


def test_a_sweep_leaves_those_who_are_held() -> None:
    of, tickets = plan(evenly(0.001)), waiting([1500, 1500 + 4 / 3 * math.sqrt(5000)])
    assert find_matches(tickets, of).left.tolist() == [0, 1]
    assert len(find_matches(replace(tickets, waited=tickets.waited + 59), of)) == 0
    assert len(find_matches(replace(tickets, waited=tickets.waited + 61), of)) == 1
    # Somebody near takes the place of the one who is far.
    found = find_matches(waiting([1500, 1650, 1510], [5, 5, 0]), of)
    assert sorted(found.ticket.tolist()) == [0, 2]


def test_where_nothing_is_known_or_asked_nobody_is_held() -> None:
    assert Hold.of(plan(None)) is None
    assert Hold.of(plan(evenly(0.001), team_size=2)) is None
    assert not Hold.is_on(Settings())
    assert not any(isinstance(one, Hold) for one in conditions_of(Plan(arrivals=evenly(0.001))))
    in_order = replace(plan(evenly(0.001)), settings=replace(plan(None).settings, strategy="fcfs"))
    assert len(find_matches(waiting([1000, 2000]), in_order)) == 1


@given(QUEUES(largest=12), st.sampled_from([1e-5, 1e-3, 0.1]), st.floats(0, 60))
def test_waiting_only_ever_releases(tickets: Tickets, rate: float, seconds: float) -> None:
    condition = hold(plan(evenly(rate), at_most=60))
    one, other = np.triu_indices(len(tickets), 1)
    now = condition.distance(tickets, one, other)
    then = condition.distance(replace(tickets, waited=tickets.waited + seconds), one, other)
    assert (then <= now).all()
    assert (then <= np.maximum(now - seconds, 0) + 1e-6).all()


def test_why_somebody_waits_names_it_and_says_when() -> None:
    tickets = waiting([1500, 1500 + 4 / 3 * math.sqrt(5000)])
    found = look_for_obstacles(tickets, plan(evenly(0.001)), 0)
    (held,) = [one for one in found.obstacles if one.name == "hold"]
    assert held.refused.tolist() == [True]
    assert held.distance.tolist() == pytest.approx([60.0])
    assert found.first is not None
    assert found.first.seconds in {60, 61}
