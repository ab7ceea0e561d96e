"""A queue from its first second to its last: who comes, who meets, who is left."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matchmaking.pairing import Rules
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.settings.settings import STRATEGIES
from matchmaking.preview.simulation import Population, simulate
from matchmaking.preview.simulation.draw import draw_arrivals
from matchmaking.preview.simulation.preview import preview
from matchmaking.preview.simulation.run import run
from matchmaking.preview.simulation.widen import widen_to_wait
from ratings.systems import create

FEW = Population(arrivals=1.0, seconds=120.0)


def plan_of(strategy: str = "filters", **given: object) -> Plan:
    return Plan(settings=Settings.build(strategy, given), system=create("elo"))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_same_seed_gives_the_same_figures(strategy: str) -> None:
    plan = plan_of(strategy)

    assert simulate(plan, FEW, seeds=(3,)) == simulate(plan, FEW, seeds=(3,))
    assert simulate(plan, FEW, seeds=(3,)) != simulate(plan, FEW, seeds=(4,))


def test_strategies_are_compared_on_the_same_population() -> None:
    population = replace(FEW, languages=(3.0, 1.0), regions=(1.0, 1.0), several=0.5, patience=30.0)
    one, other = (
        draw_arrivals(population, plan_of(strategy), np.random.default_rng(5))
        for strategy in ("filters", "fcfs")
    )

    assert (one.at == other.at).all()
    assert (one.rating == other.rating).all()
    assert (one.gives_up == other.gives_up).all()
    for name, column in one.traits.items():
        assert (column == other.traits[name]).all()


def test_a_population_is_what_was_asked_for() -> None:
    population = Population(
        arrivals=10.0,
        seconds=2000.0,
        rating=1200.0,
        spread=100.0,
        languages=(3.0, 1.0),
        no_language=0.1,
        regions=(1.0, 1.0, 2.0),
        several=0.2,
        parties=(0.5, 0.5),
    )
    plan = replace(plan_of(), team_size=2)
    found = draw_arrivals(population, plan, np.random.default_rng(1))

    assert len(found) == pytest.approx(20_000, abs=600)  # Poisson: four standard deviations
    assert np.diff(found.at).min() >= 0
    assert found.members.rating.mean() == pytest.approx(1200, abs=4)
    assert found.members.rating.std() == pytest.approx(100, abs=3)
    assert found.members.sizes.mean() == pytest.approx(1.5, abs=0.02)
    languages, regions = found.traits["languages"], found.traits["regions"]
    assert (languages == 0).mean() == pytest.approx(0.1, abs=0.01)
    assert (languages & 1 > 0).mean() == pytest.approx(0.9 * (0.75 + 0.2 * 0.25 * 0.75), abs=0.02)
    assert (regions == 7).mean() == pytest.approx(0.2, abs=0.02)
    assert found.traits["latency"].shape == (len(found), 3)
    assert found.traits["latency"].min() >= 20


def test_everyone_is_matched_waits_or_has_left() -> None:
    population = replace(FEW, arrivals=0.5, patience=10.0, seconds=300.0)
    plan = plan_of()
    arrivals = draw_arrivals(population, plan, np.random.default_rng(2))
    outcomes = run(arrivals, plan, population)

    assert not (outcomes.matched & outcomes.left).any()
    assert outcomes.left.any()
    assert 2 * len(outcomes.gap) == outcomes.matched.sum()
    assert (outcomes.wait >= 0).all()
    given_up = (arrivals.gives_up - arrivals.at)[: len(outcomes.wait)]
    assert outcomes.wait[outcomes.left] == pytest.approx(given_up[outcomes.left])
    assert (outcomes.wait[outcomes.matched] < given_up[outcomes.matched]).all()


def test_first_come_first_served_leaves_one_at_most() -> None:
    report = simulate(plan_of("fcfs"), FEW)

    assert report.tickets - 2 * report.matches <= 1
    assert report.waits.p95 is not None
    assert report.waits.p95 < 10


def test_filters_keep_to_the_gap_that_was_waited_for() -> None:
    plan = replace(plan_of(), rules=Rules(gap_start=50.0, gap_per_second=2.0))
    outcomes = run(draw_arrivals(FEW, plan, np.random.default_rng(1)), plan, FEW)

    accepted = 50.0 + 2.0 * outcomes.wait[outcomes.matched]
    assert (outcomes.own_gap[outcomes.matched] <= accepted + 1e-9).all()


def test_parties_fill_teams_whole() -> None:
    population = Population(arrivals=2.0, seconds=120.0, parties=(0.6, 0.3, 0.1))
    for strategy in STRATEGIES:
        plan = replace(plan_of(strategy), team_size=3)
        arrivals = draw_arrivals(population, plan, np.random.default_rng(1))
        outcomes = run(arrivals, plan, population)

        players = arrivals.members.sizes[: len(outcomes.wait)][outcomes.matched].sum()
        assert len(outcomes.gap) > 5, strategy
        assert players == 6 * len(outcomes.gap), strategy


def test_parties_larger_than_a_team_do_not_come() -> None:
    population = replace(FEW, parties=(0.0, 0.0, 1.0))

    arrivals = draw_arrivals(population, plan_of(), np.random.default_rng(1))
    assert (arrivals.members.sizes == 1).all()


def test_an_empty_queue_has_a_report_too() -> None:
    report = simulate(plan_of(), Population(arrivals=0.001, seconds=1.0))

    assert report.tickets == 0
    assert report.waits.mean is None
    assert report.share_unmatched is None
    assert len(report.bands) == 5


def test_bands_have_all_tickets_and_the_width_asked_for() -> None:
    by_deviation = simulate(plan_of(), FEW)
    by_points = simulate(plan_of(), FEW, band=100.0)

    for report in (by_deviation, by_points):
        assert sum(band.tickets for band in report.bands) == report.tickets
    inner = by_points.bands[1:-1]
    assert [(band.low, band.high) for band in inner][:2] == [(900, 1000), (1000, 1100)]
    assert len(inner) == 12


def test_several_seeds_count_together() -> None:
    one, other, both = (simulate(plan_of(), FEW, seeds=seeds) for seeds in ((1,), (2,), (1, 2)))

    assert both.tickets == one.tickets + other.tickets
    assert both.matches == one.matches + other.matches


@pytest.mark.full
@pytest.mark.parametrize("strategy", ["buckets", "fcfs"])
def test_filters_find_nearer_partners_in_the_same_time(strategy: str) -> None:
    population = Population(arrivals=10.0, seconds=60.0)
    other = simulate(plan_of(strategy), population)
    assert other.waits.mean is not None
    assert other.gaps.mean is not None

    plan, filters = widen_to_wait(plan_of(), population, other.waits.mean)
    assert filters == simulate(plan, population)
    assert filters.waits.mean == pytest.approx(other.waits.mean, rel=0.02)
    assert filters.gaps.mean is not None
    assert filters.gaps.mean < other.gaps.mean


@pytest.mark.full
def test_a_fixed_cap_leaves_the_extremes_waiting() -> None:
    population = Population(arrivals=1.0, seconds=600.0)
    free = replace(plan_of(), rules=Rules(gap_start=40.0, gap_per_second=20.0))
    capped = replace(plan_of(), rules=Rules(gap_start=40.0, gap_per_second=20.0, gap_cap=40.0))
    without, withal = (simulate(plan, population) for plan in (free, capped))

    middle = withal.bands[2].stays.p95
    assert middle is not None
    for edge in (0, -1):  # more than two standard deviations off
        stays, stays_capped = without.bands[edge].stays.p95, withal.bands[edge].stays.p95
        assert stays is not None
        assert stays_capped is not None
        assert stays_capped > 2 * stays
        assert stays_capped > 5 * middle


def test_a_preview_watches_as_long_as_its_budget_lets_it() -> None:
    population = Population(arrivals=1.0, seconds=3600.0)
    brief = preview(plan_of(), population, budget_seconds=1.0)
    stopped = preview(plan_of(), population, budget_seconds=0.0)

    assert brief.seconds <= 300.0
    assert brief.report.tickets <= 400
    assert stopped.is_cut
    assert stopped.seconds == 0.0
    assert stopped.report.tickets == 0


def test_a_preview_of_a_short_population_is_the_simulation() -> None:
    population = Population(arrivals=0.5, seconds=60.0)

    whole = preview(plan_of(), population, budget_seconds=60.0, seed=4)
    assert not whole.is_cut
    assert whole.seconds == 60.0
    assert whole.report == simulate(plan_of(), population, seeds=(4,))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"arrivals": 0.0}, "arrivals is 0.0: must be a number above 0"),
        ({"arrivals": float("nan")}, "arrivals is nan"),
        ({"spread": -1.0}, "spread is -1.0: must be 0 or more"),
        ({"several": 1.5}, "several is 1.5: must be from 0 to 1"),
        ({"languages": (0.0, 0.0)}, "must be at most 62 shares of 0 or more, not all 0"),
        ({"parties": ()}, "parties is empty"),
        ({"patience": 0.0}, "patience is 0.0"),
        ({"arrivals": 1000.0}, "must be 1000000 tickets at most"),
    ],
)
def test_a_population_that_cannot_come_is_refused(given: dict[str, float], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Population(**given)  # type: ignore[arg-type]  # of every type, as the test is about


@settings(max_examples=20)
@given(
    strategy=st.sampled_from([*STRATEGIES]),
    arrivals=st.sampled_from([0.05, 0.5, 3.0]),
    shape=st.sampled_from([(2, 1), (2, 2), (4, 1)]),
    seed=st.integers(0, 1000),
)
def test_no_ticket_is_matched_twice(
    strategy: str, arrivals: float, shape: tuple[int, int], seed: int
) -> None:
    population = Population(arrivals=arrivals, seconds=60.0, parties=(0.7, 0.3), patience=40.0)
    plan = replace(plan_of(strategy), team_count=shape[0], team_size=shape[1])
    drawn = draw_arrivals(population, plan, np.random.default_rng(seed))
    outcomes = run(drawn, plan, population)

    players = drawn.members.sizes[: len(outcomes.wait)][outcomes.matched].sum()
    assert players == shape[0] * shape[1] * len(outcomes.gap)
    assert (outcomes.matched == ~np.isnan(outcomes.own_gap)).all()


@pytest.mark.full
def test_a_queue_that_holds_pairs_back_finds_nearer_ones_in_time() -> None:
    population = Population(arrivals=0.5, seconds=1800.0)
    rules = Rules(gap_start=5000, gap_per_second=0)
    at_once = replace(plan_of(), rules=rules)
    settings_then = Settings.build("filters", {"timing": {"holds": True, "at_most": 40}})
    held = replace(at_once, settings=settings_then)
    one, other = (simulate(plan, population, seeds=(2,)) for plan in (at_once, held))

    assert one.tickets == other.tickets
    assert one.gaps.mean is not None
    assert other.gaps.mean is not None
    assert other.gaps.mean < one.gaps.mean / 2
    assert other.waits.p95 is not None
    assert other.waits.p95 <= 45
    assert held.arrivals is None  # the plan that was given is as it was
