"""Setups, the axes a search walks, and what it finds."""

import math

import numpy as np
import pytest

from ratings.evaluation import Setup, Tried, predict_games, tune, usual_names
from ratings.evaluation.axes import axes_of
from ratings.systems import ParameterError, UnknownSystemError
from tests.ratings.evaluation.histories import contests, duels, planted


def test_a_setup_is_what_a_ladder_would_have() -> None:
    setup = Setup.of("glicko", {"days_to_forget": 100.0}, 10.0)
    c = setup.system().parameters["c"]
    assert c == pytest.approx(math.sqrt((350**2 - 50**2) / 10))
    assert (setup.pool_minimum, setup.value("days_to_forget"), setup.value("period")) == (
        20,
        100.0,
        10.0,
    )
    assert Setup.of("glicko", {}).period_days == 30
    assert Setup.of("elo", {}).period_days is None
    assert Setup.of("glicko", {"c": 7.0}).system().parameters["c"] == 7.0
    wider = setup.changed({"period": 40.0, "deviation_start": 300.0})
    assert wider.system().parameters["c"] == pytest.approx(math.sqrt((300**2 - 50**2) * 40 / 100))


@pytest.mark.parametrize(
    ("name", "given", "days", "message"),
    [
        ("elo", {"kk": 3.0}, None, "kk = 3.0: unknown; known are"),
        ("elo", {"days_to_forget": 3.0}, None, "days_to_forget"),
        ("elo", {"k_new": -1.0}, None, "k_new = -1.0: must be a number from 0"),
        ("glicko", {"c": 1.0, "days_to_forget": 9.0}, 3.0, "c = 1.0: must be left out"),
        ("glicko", {}, 0.0, "period = 0.0: must be from"),
        ("glicko", {"deviation_start": 400.0}, 3.0, "deviation_start"),
    ],
)
def test_an_impossible_setup_is_refused(
    name: str, given: dict[str, object], days: float | None, message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        Setup.of(name, given, days)
    with pytest.raises(UnknownSystemError, match="checkers"):
        Setup.of("checkers", {})


def test_an_axis_stays_in_its_range() -> None:
    factor, added, whole, days = axes_of(
        Setup.of("glicko", {}, 10.0),
        ("deviation_min", "side_advantage", "established_after", "period"),
    )
    assert factor.at(0) == 30
    assert factor.at(1) == pytest.approx(45)
    assert (factor.at(-1000), factor.at(1000)) == (1.0, 10_000.0)
    assert (added.at(0), added.at(-2), added.at(10_000)) == (0.0, -80.0, 1000.0)
    assert whole.at(1) == 45
    assert isinstance(whole.at(1), int)
    assert days.at(1) == pytest.approx(15)
    for axis in (factor, added, whole, days):
        assert [axis.at(end) for end in axis.bounds] == pytest.approx([axis.low, axis.high])


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("height",), "height = None: unknown"),
        (("k_by_rating",), "cannot be varied; must be a number"),
        (("period",), "cannot be varied without periods"),
    ],
)
def test_what_is_no_axis_is_refused(names: tuple[str, ...], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        axes_of(Setup.of("elo", {}), names)


def test_the_games_decide_what_is_worth_varying() -> None:
    elo, glicko = Setup.of("elo", {}), Setup.of("glicko", {})
    everything, plain = duels(30, 4), planted(30, 4, spread=100, side=0)
    assert usual_names(elo, everything)[-2:] == ("side_gamma", "draw_nu")
    assert "draw_nu" not in usual_names(elo, plain)
    assert usual_names(glicko, everything) == ("days_to_forget", "side_advantage")
    assert usual_names(Setup.of("glicko", {"c": 3.0}), everything) == ("side_advantage",)
    assert "draw_probability" in usual_names(Setup.of("trueskill", {}), contests(9, 13))


def test_planted_parameters_are_found() -> None:
    """Players of known spread and a known advantage: both come back, and predict games never seen."""
    played = planted(6_000, 80, spread=180, side=90)
    setup = Setup.of("glicko", {"days_to_forget": 100_000.0, "deviation_start": 350.0}, 10.0)
    found = tune(played.first(0.5), setup, ["deviation_start", "side_advantage"], warm_up=0.0)
    assert float(found.values["deviation_start"]) == pytest.approx(180, rel=0.25)
    assert float(found.values["side_advantage"]) == pytest.approx(90, abs=15)
    before, after = (
        predict_games(played, one).later(0.5).report().log_loss for one in (setup, found.setup)
    )
    assert before is not None
    assert after is not None
    assert after < before - 0.01
    assert found.after < found.before - 0.01


def test_the_same_games_give_the_same_parameters() -> None:
    played, setup = planted(600, 20, spread=200, side=60, draws=0.1), Setup.of("elo", {})
    told: list[Tried] = []
    names = usual_names(setup, played)
    first = tune(played, setup, names, most=40, on_run=told.append)
    assert tune(played, setup, names, most=40) == first
    assert [one.runs for one in told] == list(range(1, len(told) + 1))
    assert first.runs == len(told) <= 40
    best = [one.best for one in told]
    assert best == sorted(best, reverse=True)
    judged = predict_games(played, first.setup).later(0.1).report().log_loss
    assert judged == first.after == best[-1]
    assert first.before == best[0]


def test_values_that_do_not_fit_each_other_are_passed_by() -> None:
    """The start deviation may not leave the range between the smallest and the largest."""
    played = planted(400, 12, spread=900, side=0)
    setup = Setup.of("glicko", {"days_to_forget": 100_000.0}, 10.0)
    found = tune(played, setup, ["deviation_start", "deviation_min"], most=60)
    assert float(found.values["deviation_start"]) <= 350
    assert np.isfinite(found.after)


def test_the_period_can_be_found() -> None:
    """Strength that never changes is predicted best by ratings that are brought up to date often."""
    played = planted(1_500, 30, spread=250, side=0)
    found = tune(played, Setup.of("glicko", {}, 90.0), ["period"], warm_up=0.0, most=9)
    assert found.setup.period_days is not None
    assert found.setup.period_days < 45
    assert found.values["period"] == found.setup.period_days


def test_there_must_be_something_to_tune() -> None:
    with pytest.raises(ValueError, match="nothing to tune"):
        tune(duels(9, 3), Setup.of("elo", {}), [])
    with pytest.raises(ValueError, match="nothing to tune"):
        tune(duels(9, 3).first(0.0), Setup.of("elo", {}), ["k_new"])
