"""The logistic curve: exact enough, and the same bits everywhere."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import expected_score, rating_difference
from ratings.systems.logistic import (
    logistic,
    logistic_for_one,
    logistic_one,
    tenth_power,
    tenth_power_one,
)


def test_known_figures() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11, abs=1e-15)
    assert expected_score(100) == pytest.approx(0.640065, abs=5e-7)
    assert expected_score(100, class_interval=100) == expected_score(200)
    assert rating_difference(0.75) == pytest.approx(190.848502, abs=5e-7)


def test_shapes_are_kept() -> None:
    assert expected_score([[0, 400], [-400, 0]]).shape == (2, 2)
    assert expected_score([]).shape == (0,)


def test_the_same_bits_for_one_number_and_for_many() -> None:
    decades = np.concatenate((np.linspace(-40, 40, 40_001), [1e308, -1e308, math.inf, -math.inf]))
    one_by_one = [logistic_one(number) for number in decades.tolist()]
    assert logistic(decades).tolist() == one_by_one
    in_one_piece = logistic_for_one(1.0, 0.0)
    assert [in_one_piece(number, 1.0) for number in decades.tolist()] == one_by_one
    powers = [tenth_power_one(number) for number in decades.tolist()]
    assert tenth_power(decades).tolist() == powers
    assert min(powers) > 0
    assert max(powers) < math.inf


def test_points_and_side_are_weighed() -> None:
    expect = logistic_for_one(1 / 400, 0.25)
    assert expect(100, -1) == expect(0, 0) == 0.5
    assert expect(300, 1) == pytest.approx(10 / 11)


def test_powers_of_ten() -> None:
    wanted = [10**-number for number in (-2.5, -1.0, 0.0, 0.3, 3.0)]
    assert tenth_power(np.array([-2.5, -1.0, 0.0, 0.3, 3.0])) == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize(
    ("decades", "bits"),
    [
        (0.25, "0x1.47b69982ef6e4p-1"),
        (-1.7, "0x1.40823fd77f464p-6"),
        (3.3, "0x1.ffbe575f0ed56p-1"),
        (-0.001, "0x1.ff69190cb2e2bp-2"),
    ],
)
def test_the_same_bits_on_every_machine(decades: float, bits: str) -> None:
    """Written down once: another processor, Python or NumPy must not change a bit."""
    assert logistic_one(decades).hex() == bits


def test_close_to_the_textbook() -> None:
    decades = np.linspace(-12, 12, 10_001)
    textbook = [1 / (1 + 10**-number) for number in decades.tolist()]
    assert logistic(decades) == pytest.approx(textbook, rel=1e-14)


@given(st.floats(-300, 300))
def test_both_sides_share_one_point(decades: float) -> None:
    assert logistic_one(decades) + logistic_one(-decades) == pytest.approx(1, abs=1e-15)


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_never_falls(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= logistic_one(low) <= logistic_one(high) + 1e-15 <= 1 + 1e-15


@given(st.floats(0.001, 0.999))
def test_the_inverse_leads_back(score: float) -> None:
    assert expected_score(rating_difference(score)) == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize("score", [0, 1, -0.1, math.nan])
def test_certain_scores_have_no_difference(score: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        rating_difference(score)


def test_the_smallest_score_has_a_finite_difference() -> None:
    assert math.isfinite(rating_difference(5e-324))
