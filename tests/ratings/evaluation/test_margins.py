"""Comparing predictions pair by pair."""

import numpy as np
import pytest
from numpy.typing import NDArray

from ratings.evaluation import log_loss
from ratings.evaluation.margins import Margin, losses_by_match, margin_of


def test_the_mean_of_the_losses_is_the_log_loss() -> None:
    random = np.random.default_rng(5)
    predicted, actual = random.uniform(0, 1, 50), random.choice([0.0, 0.5, 1.0], 50)
    losses = losses_by_match(np.arange(50), predicted, actual)
    assert losses.mean() == pytest.approx(log_loss(predicted, actual), rel=1e-12)


def test_rows_of_one_match_are_one_loss() -> None:
    half = np.log(2)
    losses = losses_by_match([9, 9, 9, 4, 4], [0.5, 0.5, 0.5, 0.25, 0.75], [1, 0.5, 0, 0, 1])
    assert losses.tolist() == pytest.approx([half, -np.log(0.75)])


def test_a_sure_and_wrong_prediction_costs_much_but_is_finite() -> None:
    (loss,) = losses_by_match([1], [1.0], [0.0])
    assert loss == pytest.approx(-np.log(1e-12), rel=1e-4)


def test_what_is_hard_for_both_drops_out() -> None:
    best = np.array([0.1, 2.0, 0.3, 1.4])
    found = margin_of(best + 0.01, best)
    assert found.mean == pytest.approx(0.01)
    assert found.error == pytest.approx(0.0, abs=1e-12)


def test_the_standard_error_is_that_of_the_differences() -> None:
    # differences 0.0, 0.2, 0.1: mean 0.1, deviation 0.1
    found = margin_of(np.array([0.5, 0.9, 0.4]), np.array([0.5, 0.7, 0.3]))
    assert found.mean == pytest.approx(0.1)
    assert found.error == pytest.approx(0.1 / np.sqrt(3))


def test_one_match_says_nothing_of_luck() -> None:
    assert margin_of(np.array([0.75]), np.array([0.5])) == Margin(0.25, None)


def test_without_a_match_there_is_no_loss() -> None:
    assert losses_by_match([], [], []).size == 0


@pytest.mark.parametrize("other", [np.zeros(3), np.zeros(0)])
def test_losses_of_other_matches_are_refused(other: NDArray[np.float64]) -> None:
    with pytest.raises(ValueError, match="must be of the same"):
        margin_of(np.zeros(len(other) and 2), other)


def test_rows_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="equally long"):
        losses_by_match([1, 2], [0.5], [1.0])
