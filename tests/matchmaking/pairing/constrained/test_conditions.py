"""Each condition alone: whom it keeps apart, from when on it does not, and what it costs."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from matchmaking.pairing import Rules, Tickets
from matchmaking.pairing.condition import Condition
from matchmaking.pairing.plan import Plan, conditions_of, costs_of
from matchmaking.pairing.settings import Settings
from ratings.systems import create
from tests.matchmaking.pairing.constrained.pools import accepting, with_traits
from tests.matchmaking.pairing.queues import waiting

INF, NAN = np.inf, np.nan


def only(section: str, **given: Any) -> Condition:
    """The condition of one section of the settings."""
    off = {"rematch": {"use": "off"}, "avoided": {"use": "off"}, "conduct": {"use": "off"}}
    settings = Settings.build("filters", {**off, section: given})
    plan = Plan(settings=settings, system=create("glicko2"))
    (_gap, condition) = conditions_of(plan)
    return condition


def pairs_of(tickets: Tickets, condition: Condition) -> list[tuple[int, int]]:
    """Who accepts whom, asked plainly, bound, and by classes."""
    allowed = accepting(tickets, (condition,))
    assert (allowed == accepting(tickets, (condition.bound(tickets),))).all()
    if (classes := condition.classes(tickets)) is not None:
        apart = (classes[:, np.newaxis] & classes) == 0
        assert not (allowed & apart).any()
    if condition.is_idle(tickets):
        assert allowed.sum() == len(tickets) * (len(tickets) - 1)
    return [(int(one), int(other)) for one, other in np.argwhere(np.triu(allowed))]


def cost(tickets: Tickets, condition: Condition) -> float:
    """Of the first two tickets."""
    return float(costs_of(tickets, (condition,), np.array([0]), np.array([1]))[0])


def test_rating_gap_costs_what_points_are_worth() -> None:
    settings = Settings.build("filters", {"exchange": {"points_per_second": 4}})
    gap = conditions_of(Plan(settings=settings, rules=Rules(gap_start=100, gap_per_second=1)))[0]
    tickets = waiting([1500, 1600, 1701, 1700.5], waited=[0, 0, 1, 0])
    assert pairs_of(tickets, gap) == [(0, 1), (2, 3)]
    assert cost(tickets, gap) == 25.0


def test_the_gap_widens_faster_at_the_extremes() -> None:
    settings = Settings.build("filters", {"exchange": {"faster_at_extremes": 0.5}})
    gap = conditions_of(Plan(settings=settings, rules=Rules(gap_start=100, gap_per_second=2)))[0]
    tickets = waiting([1300, 1500, 1500, 1500, 1500, 1500, 1500, 1700], waited=[10] * 8)
    # The standard deviation is 100: the ends are 2 away, 1 beyond the first.
    assert gap.tolerances(tickets).tolist() == [130.0] + [120.0] * 6 + [130.0]
    assert gap.tolerances(waiting([1500, 1500], waited=[10, 0])).tolist() == [120.0, 100.0]
    assert gap.tolerances(waiting([1500], waited=[10])).tolist() == [120.0]


@pytest.mark.parametrize(("section", "trait"), [("language", "languages"), ("rules", "rules")])
def test_something_in_common(section: str, trait: str) -> None:
    tickets = with_traits(waiting([1500] * 4), **{trait: [0b01, 0b10, 0b11, 0]})
    expected = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert pairs_of(tickets, only(section, use="must")) == expected
    assert len(pairs_of(tickets, only(section, use="prefer"))) == 6
    assert cost(tickets, only(section, use="prefer", seconds=7)) == 7.0
    assert only(section, use="must").is_idle(waiting([1500] * 4))


def test_dropped_only_when_both_have_waited() -> None:
    language = only("language", use="drop", after=30)
    tickets = with_traits(
        waiting([1500] * 3, waited=[30, 29.9, 31]), languages=[0b001, 0b010, 0b100]
    )
    assert pairs_of(tickets, language) == [(0, 2)]


def test_region_by_latency() -> None:
    region = only("region", use="must", start=80, per_second=2, cap=250, seconds=10)
    latency = [[50, 30], [20, 90], [NAN, INF], [INF, 100], [200, 200]]
    tickets = with_traits(waiting([1500] * 5, waited=[0, 0, 0, 10, 100]), latency=latency)
    # 0 and 1 meet in the first region at 50 ms; 2 has measured nothing there; 3 accepts 100 ms by
    # now, and 0 not; nobody but 4 accepts 200.
    assert pairs_of(tickets, region) == [(0, 1), (0, 2), (1, 2)]
    assert cost(tickets, region) == 5.0


def test_region_widens_for_both() -> None:
    region = only("region", use="must", start=80, per_second=2, cap=250)
    latency = [[100.0], [100.0], [100.0]]
    tickets = with_traits(waiting([1500] * 3, waited=[10, 9, 11]), latency=latency)
    assert pairs_of(tickets, region) == [(0, 2)]


def test_region_named_only() -> None:
    region = only("region", use="must")
    tickets = with_traits(waiting([1500] * 4), regions=[0b001, 0b100, 0b101, 0])
    assert pairs_of(tickets, region) == [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    far = only("region", use="prefer", seconds=10)
    assert len(pairs_of(tickets, far)) == 6
    assert cost(tickets, far) == 100.0  # no region in common counts for a second of latency


def test_region_named_beyond_those_measured() -> None:
    tickets = with_traits(
        waiting([1500] * 3), regions=[0b11, 0b10, 0b01], latency=[[10.0], [INF], [20.0]]
    )
    assert pairs_of(tickets, only("region", use="must")) == [(0, 1), (0, 2)]


def test_style_is_what_the_other_wants() -> None:
    tickets = with_traits(
        waiting([1500] * 4), styles=[0b01, 0b10, 0b01, 0], styles_wanted=[0b10, 0b01, 0b01, 0]
    )
    # 0 and 1 want each other; 0 wants somebody else than 2, and 2 would take 0.
    assert pairs_of(tickets, only("style", use="must")) == [(0, 1), (0, 3), (1, 3), (2, 3)]
    one_sided = with_traits(waiting([1500] * 2), styles=[0b01, 0b01], styles_wanted=[0b10, 0b01])
    assert cost(one_sided, only("style", use="prefer", seconds=10)) == 5.0


def test_avoided_and_met() -> None:
    tickets = with_traits(waiting([1500] * 3), avoided=[(1, 0, 1.0)], met=[(2, 1, 0.25)])
    assert pairs_of(tickets, only("avoided", use="must")) == [(0, 2), (1, 2)]
    assert pairs_of(tickets, only("rematch", use="must")) == [(0, 1), (0, 2)]
    met = with_traits(waiting([1500] * 2, waited=[20, 20]), met=[(0, 1, 0.25), (1, 0, 0.5)])
    assert pairs_of(met, only("rematch", use="drop", after=20)) == [(0, 1)]
    assert cost(met, only("rematch", use="drop", seconds=16)) == 8.0
    assert only("avoided", use="must").is_idle(waiting([1500]))


def test_bad_conduct_meets_bad_conduct_first() -> None:
    conduct = only("conduct", use="drop", after=40)
    tickets = with_traits(waiting([1500] * 5, waited=[0, 39, 40, 0, 99]), conduct=[2, 1, 1, 0.9, 0])
    # The first three are high; the third has served its time, and the others are not bound.
    assert pairs_of(tickets, conduct) == [(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4)]
    assert conduct.is_idle(with_traits(waiting([1500] * 2), conduct=[3, 4]))


def test_who_has_more_points_is_bound_for_longer() -> None:
    conduct = only("conduct", use="drop", after=40, at_most=120)
    scores = [0, 1, 2, 2, 9, 9]
    tickets = with_traits(waiting([1500] * 6, waited=[0, 40, 79, 80, 119, 120]), conduct=scores)
    with_the_first = [pair for pair in pairs_of(tickets, conduct) if pair[0] == 0]
    assert with_the_first == [(0, 1), (0, 3), (0, 5)]
    shorter = only("conduct", use="drop", after=40, at_most=10)  # never less than `after`
    assert (0, 2) in pairs_of(tickets, shorter)
    assert (0, 1) in pairs_of(tickets, shorter)


def test_a_map_must_be_left() -> None:
    maps = only("maps", names="Canyon; River; Peak")
    tickets = with_traits(waiting([1500] * 3), maps_vetoed=[0b011, 0b100, 0b001])
    assert pairs_of(tickets, maps) == [(0, 2), (1, 2)]


def test_chance_counts_deviation_and_side() -> None:
    tickets = waiting([1500, 1600, 1900])
    even = only("chance", use="must", start=0.15, cap=0.5)
    assert pairs_of(tickets, even) == [(0, 1)]
    system = create("glicko2")
    assert even.distance(tickets, np.array([0]), np.array([1]))[0] == pytest.approx(0.1, abs=0.05)
    sided = Plan(
        settings=Settings.build("filters", {"chance": {"use": "must", "seconds": 30}}),
        system=system,
        side_points=100.0,
    )
    chance = conditions_of(sided)[1]
    # The better side makes up for the whole gap, whoever is asked about first.
    for one, other in ((0, 1), (1, 0)):
        assert chance.distance(tickets, np.array([one]), np.array([other]))[0] == pytest.approx(0)
    assert cost(waiting([1500, 1700]), chance) > 1
    vague, sure = (
        replace(waiting([1500, 1700]), deviation=np.full(2, points)) for points in (350.0, 30.0)
    )
    assert (len(pairs_of(vague, even)), len(pairs_of(sure, even))) == (1, 0)


def test_off_is_not_asked() -> None:
    every = ("language", "region", "style", "rules", "rematch", "avoided", "conduct", "chance")
    settings = Settings.build("filters", {name: {"use": "off"} for name in every})
    assert len(conditions_of(Plan(settings=settings, system=create("elo")))) == 1
