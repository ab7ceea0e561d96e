"""Truncated normals: exact to the last digits, however far out."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ratings.systems.trueskill.truncation import drawn, truncate, won
from tests.ratings.systems.trueskill.trueskill_reference import moments

# Differences in deviations, from none to a million, of either sign.
T = st.floats(-8, 8) | st.floats(-1e3, 1e3) | st.floats(-1e6, 1e6)
MARGINS = st.just(0.0) | st.floats(1e-9, 10)


def close(got: float, exact: float, scale: float = 0.0) -> bool:
    return abs(got - exact) <= 1e-11 * (abs(exact) + scale)


@given(T, MARGINS)
def test_wins(t: float, margin: float) -> None:
    shift, loss, left, pull = moments(t, margin, tied=False)
    v, w = won(np.array([t]), np.array([margin]))
    assert close(v[0], shift, 1e-60)
    assert close(w[0], loss, 1e-3)
    told = truncate(np.array([t]), np.array([margin]), np.array([False]))
    assert (told.shift[0], told.loss[0]) == (v[0], w[0])
    assert close(told.left[0], left)
    assert close(told.pull[0], pull, 1 + abs(margin))


@given(T, st.floats(1e-9, 10))
def test_draws(t: float, margin: float) -> None:
    shift, loss, left, pull = moments(t, margin, tied=True)
    told = drawn(np.array([t]), np.array([margin]))
    assert close(told.shift[0], shift, 1)
    assert close(told.loss[0], loss, 1)
    assert close(told.left[0], left)
    assert close(told.pull[0], pull, margin)
    both = truncate(np.array([t]), np.array([margin]), np.array([True]))
    assert [column[0] for column in both] == [column[0] for column in told]


@given(T)
def test_a_draw_without_margin_makes_both_equal(t: float) -> None:
    told = drawn(np.array([t]), np.array([0.0]))
    assert told.shift[0] == pytest.approx(-t)
    assert told.loss[0] == 1
    assert 0 < told.left[0] < 1e-20
    assert abs(told.pull[0]) <= 1e-12 * abs(t)


@given(T, T, MARGINS)
def test_the_less_expected_moves_more(one: float, other: float, margin: float) -> None:
    low, high = sorted((one, other))
    shift, loss = won(np.array([low, high]), np.array([margin, margin]))
    assert shift[0] >= shift[1] >= 0
    assert loss[0] >= loss[1] - 1e-12
    assert 0 <= loss.min() <= loss.max() <= 1
    draw = drawn(np.array([low, high]), np.array([margin, margin]))
    assert draw.shift[0] >= draw.shift[1] - 1e-9 * abs(draw.shift[1]) - 1e-12


@given(T, MARGINS)
def test_draws_are_symmetric(t: float, margin: float) -> None:
    assume(t != 0)
    one, other = (drawn(np.array([x]), np.array([margin])) for x in (t, -t))
    assert one.shift[0] == -other.shift[0]
    assert one.loss[0] == other.loss[0]
    assert one.pull[0] == -other.pull[0]


@pytest.mark.parametrize("t", [0.0, -1e50, 1e50, 1e-300])
@pytest.mark.parametrize("margin", [0.0, 1e-300, 1e50])
@pytest.mark.parametrize("tied", [False, True])
def test_finite_at_the_ends_of_the_range(t: float, margin: float, tied: bool) -> None:
    told = truncate(np.array([t]), np.array([margin]), np.array([tied]))
    for column in told:
        assert np.isfinite(column).all()
    assert told.left[0] > 0
