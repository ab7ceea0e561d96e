"""When two meet: held back while waiting is likely to bring somebody nearer, and released in the end."""

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
    return ArrivalRates(rating=np.array([0.0, 3000.0]), per_second=np.full(2, per_second_and_point))


def plan(
    rates: ArrivalRates | None, *, at_most: float = 120.0, points: float = 5.0, team_size: int = 1
) -> Plan:
    settings = Settings.build(
        "filters",
        {
            "timing": {"holds": True, "at_most": at_most},
            "exchange": {"points_per_second": points},
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
    # A ticket in 1,000 s for each point, 5 points a second: a gap of sqrt(5 / 0.002) = 50 is to be expected.
    of = plan(evenly(0.001))
    assert hold(of).expected_gap(np.array([1500.0])).tolist() == [50.0]
    assert left(waiting([1500, 1550]), of) == 0.0
    # 100 points beyond are worth 20 s, of both together.
    assert left(waiting([1500, 1650]), of) == 10.0
    assert left(waiting([1500, 1650], [3, 9]), of) == 4.0
    assert left(waiting([1500, 1650], [1, 19]), of) == 0.0


def test_the_busier_the_longer_and_the_dearer_a_second_the_shorter() -> None:
    tickets = waiting([1500, 1650])
    busy, quiet = plan(evenly(0.1)), plan(evenly(0.0001))
    assert left(tickets, busy) > left(tickets, plan(evenly(0.001))) > left(tickets, quiet) == 0.0
    assert left(tickets, plan(evenly(0.001), points=20)) < left(tickets, plan(evenly(0.001)))


def test_of_two_the_one_counts_for_whom_fewer_come() -> None:
    rates = ArrivalRates(
        rating=np.array([1500.0, 1900.0]), per_second=np.array([0.001, 0.001 / 64])
    )
    # At 1500 a gap of 50 is to be expected, at 1900 one of 400.
    assert left(waiting([1500, 1900]), plan(rates)) == 0.0
    assert left(waiting([1500, 1100]), plan(rates)) == pytest.approx(35.0)


def test_nobody_is_held_for_longer_than_the_queue_says() -> None:
    tickets = waiting([1500, 2500], [0, 12])
    assert left(tickets, plan(evenly(0.001), at_most=30)) == 18.0
    assert left(waiting([1500, 2500], [0, 30]), plan(evenly(0.001), at_most=30)) == 0.0


def test_a_sweep_leaves_those_who_are_held() -> None:
    of, tickets = plan(evenly(0.001)), waiting([1500, 1650])
    assert find_matches(tickets, of).left.tolist() == [0, 1]
    assert len(find_matches(replace(tickets, waited=tickets.waited + 9), of)) == 0
    assert len(find_matches(replace(tickets, waited=tickets.waited + 10), of)) == 1
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
    found = look_for_obstacles(waiting([1500, 1650]), plan(evenly(0.001)), 0)
    (held,) = [one for one in found.obstacles if one.name == "hold"]
    assert held.refused.tolist() == [True]
    assert held.distance.tolist() == [10.0]
    assert found.first is not None
    assert found.first.seconds == 10
