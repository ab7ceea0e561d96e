"""How many tickets come at which rating, learned from those that came."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.pairing.arrivals import FEWEST, ArrivalRates


def learned(ratings: list[float], seconds: float) -> ArrivalRates:
    rates = ArrivalRates.learned(np.array(ratings), seconds)
    assert rates is not None
    return rates


def test_golden_figures_of_a_normal_crowd() -> None:
    ratings = np.random.default_rng(1).normal(1500, 300, 500)
    rates = learned(ratings.tolist(), 1000.0)
    # Half a ticket a second, of which one in 752 points comes at a point in the middle.
    true = 0.5 / (300 * np.sqrt(2 * np.pi)) * np.exp([0.0, -0.5, -2.0])
    found = np.interp([1500.0, 1800.0, 2100.0], rates.rating, rates.per_second)
    assert found == pytest.approx(true, rel=0.3)
    assert found.tolist() == pytest.approx([7.5986e-4, 3.7768e-4, 7.7428e-5], rel=1e-3)


@given(st.lists(st.floats(0, 3000), min_size=FEWEST, max_size=60), st.floats(1, 1e5))
def test_all_that_came_are_somewhere(ratings: list[float], seconds: float) -> None:
    rates = ArrivalRates.learned(np.array(ratings), seconds)
    if rates is None:
        assert np.std(ratings) < 1e-5
        return
    assert (rates.per_second > 0).all()
    total = np.trapezoid(rates.per_second, rates.rating) * seconds
    assert total >= 0.9 * len(ratings)


@given(
    st.lists(st.floats(0, 3000), min_size=FEWEST, max_size=60),
    st.randoms(use_true_random=False),
)
def test_the_order_does_not_show(ratings: list[float], random: Random) -> None:
    shuffled = list(ratings)
    random.shuffle(shuffled)
    one, other = (ArrivalRates.learned(np.array(each), 60.0) for each in (ratings, shuffled))
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one.per_second.tolist() == other.per_second.tolist()


def test_of_few_or_of_equal_ones_nothing_is_concluded() -> None:
    several = np.linspace(1000, 2000, FEWEST)
    assert ArrivalRates.learned(several[1:], 60.0) is None
    assert ArrivalRates.learned(np.full(FEWEST, 1500.0), 60.0) is None
    assert ArrivalRates.learned(several, 0.0) is None
    assert ArrivalRates.learned(several, 60.0) is not None
