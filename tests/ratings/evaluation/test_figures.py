"""How well predictions came true."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.evaluation import Report, accuracy, brier, calibration, log_loss

PREDICTED = [0.8, 0.3, 0.5, 0.6]
ACTUAL = [1.0, 0.0, 1.0, 0.5]


def test_accuracy_leaves_draws_out() -> None:
    assert accuracy(PREDICTED, ACTUAL) == pytest.approx(2.5 / 3)
    assert accuracy([0.6, 0.6], [0.0, 0.5]) == 0


def test_log_loss_takes_draws_as_half() -> None:
    wanted = -(math.log(0.8) + math.log(0.7) + math.log(0.5) + math.log(0.6 * 0.4) / 2) / 4
    assert log_loss(PREDICTED, ACTUAL) == pytest.approx(wanted, abs=1e-12)
    assert log_loss([0.5], [0.5]) == pytest.approx(math.log(2))


def test_a_sure_mistake_costs_much_but_not_everything() -> None:
    assert log_loss([1.0], [0.0]) == pytest.approx(-math.log(1e-12), rel=1e-4)
    assert log_loss([0.0], [1.0]) == pytest.approx(-math.log(1e-12), rel=1e-12)


def test_brier() -> None:
    assert brier(PREDICTED, ACTUAL) == pytest.approx((0.04 + 0.09 + 0.25 + 0.01) / 4)


def test_calibration_bins() -> None:
    low, middle, high = calibration([0.05, 0.5, 0.59, 1.0], [0.0, 1.0, 0.5, 1.0])
    assert (low.low, low.high, low.count, low.mean_actual) == (0.0, 0.1, 1, 0.0)
    assert (middle.low, middle.high, middle.count) == (0.5, 0.6, 2)
    assert middle.mean_predicted == pytest.approx(0.545)
    assert middle.mean_actual == 0.75
    assert (high.low, high.high, high.count) == (0.9, 1.0, 1)


def test_report_joins_all_figures() -> None:
    report = Report.of(PREDICTED, ACTUAL, bins=5)
    assert (report.games, report.draws) == (4, 1)
    assert report.accuracy == accuracy(PREDICTED, ACTUAL)
    assert report.log_loss == log_loss(PREDICTED, ACTUAL)
    assert report.brier == brier(PREDICTED, ACTUAL)
    assert report.calibration == calibration(PREDICTED, ACTUAL, bins=5)


def test_without_games_there_is_nothing_to_say() -> None:
    report = Report.of([], [])
    assert (report.accuracy, report.log_loss, report.brier) == (None, None, None)
    assert report.calibration == ()
    assert Report.of([0.7], [0.5]).accuracy is None


@pytest.mark.parametrize(
    ("predicted", "actual", "message"),
    [
        ([0.5], [1.0, 0.0], "equally long"),
        ([1.1], [1.0], "predicted"),
        ([math.nan], [1.0], "predicted"),
        ([0.5], [-1.0], "actual"),
    ],
)
def test_impossible_figures_are_refused(
    predicted: list[float], actual: list[float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Report.of(predicted, actual)


def test_bins_must_exist() -> None:
    with pytest.raises(ValueError, match="bins = 0"):
        calibration([0.5], [1.0], bins=0)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0])), min_size=1))
def test_both_sides_judge_alike(games: list[tuple[float, float]]) -> None:
    predicted, actual = np.array(games).T
    assert log_loss(1 - predicted, 1 - actual) == pytest.approx(
        log_loss(predicted, actual), rel=1e-3
    )
    assert brier(1 - predicted, 1 - actual) == pytest.approx(brier(predicted, actual), abs=1e-12)
    bins = calibration(predicted, actual)
    assert sum(each.count for each in bins) == len(games)
    assert sum(each.count * each.mean_actual for each in bins) == pytest.approx(actual.sum())
