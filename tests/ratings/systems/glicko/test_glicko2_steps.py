"""How Glicko-2's volatilities are found: steps, and what is told of them."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from ratings.systems import Duels, Ratings
from ratings.systems.glicko2 import Glicko2, Glicko2Parameters, Settled, settle_volatility
from ratings.systems.glicko2.volatility import MOST_STEPS, _exp_near_0, _settle_calm

# σ, φ², 1/v and Δ/v of a far upset, whose root tangents alone do not find.
FAR = (0.73, 0.015, 5.15, 104.9)


def settle(*rows: tuple[float, float, float, float], most: int = MOST_STEPS) -> Settled:
    return settle_volatility(*np.array(rows).T, tau=1.2, highest=10, most_steps=most)


@pytest.mark.parametrize(
    ("row", "steps", "volatility"),
    [
        ((0.06, 1, 4, 1), 2, 0.05994121),
        ((0.06, 0.5, 3, 6), 3, 0.06035634),
        ((0.06, 0.2, 8, 30), 5, 0.0800678),
        ((0.15, 0.2, 20, 60), 7, 0.96957449),
        ((0.06, 0.03, 100, 400), 9, 1.26944699),
        (FAR, 11, 7.43742663),
    ],
)
def test_a_greater_surprise_takes_more_steps(
    row: tuple[float, float, float, float], steps: int, volatility: float
) -> None:
    settled = settle(row)
    assert (settled.steps.tolist(), settled.is_settled.tolist()) == ([steps], [True])
    assert settled.volatility == pytest.approx([volatility], abs=5e-8)


def exact_volatility(row: tuple[float, float, float, float], tau: float) -> float:
    """The root of the published f, found by halving alone in numbers of 40 digits."""
    with localcontext(prec=40):
        sigma, variance, information, beaten = (Decimal(repr(each)) for each in row)
        v, start, rate = 1 / information, (sigma * sigma).ln(), 1 / Decimal(repr(tau)) ** 2
        delta = beaten * v

        def f(x: Decimal) -> Decimal:
            spread = variance + v + x.exp()
            return x.exp() * (delta**2 - spread) / (2 * spread**2) - (x - start) * rate

        low, high = start - 1 / rate, Decimal(10).ln() * 2
        assert f(low) > 0 > f(high)
        while high - low > Decimal("1e-24"):
            middle = (low + high) / 2
            low, high = (middle, high) if f(middle) > 0 else (low, middle)
        return float((low / 2).exp())


@pytest.mark.parametrize(
    ("tau", "row"),
    [
        (0.2, (1.175, 0.615, 0.037, 4.384)),
        (0.2, (0.311, 0.014, 10.459, 354.19)),
        (0.5, (0.686, 0.462, 0.107, 3.07)),
        (0.5, (0.06, 0.2, 8.0, 30.0)),
        (0.5, (0.391, 0.075, 1.403, 68.819)),
        (1.2, (0.324, 0.016, 15.662, 176.906)),
        (1.2, (0.122, 0.016, 12.742, 129.606)),
        (1.2, FAR),
        (3.0, (0.508, 6.382, 24.563, 121.924)),
    ],
)
def test_the_volatility_of_a_great_surprise_is_exact(
    tau: float, row: tuple[float, float, float, float]
) -> None:
    """A bracket that is narrow, but not narrow enough, ends no search: the error would be some 1e-9."""
    found = settle_volatility(*np.array([row]).T, tau=tau, highest=10).volatility
    assert found == pytest.approx([exact_volatility(row, tau)], rel=1e-12, abs=0)


@pytest.mark.parametrize(("most", "taken", "is_settled"), [(10, 10, False), (11, 11, True)])
def test_the_last_step_allowed_is_taken(most: int, taken: int, is_settled: bool) -> None:
    settled = settle(FAR, most=most)
    assert settled.steps.tolist() == [taken]
    assert settled.is_settled.tolist() == [is_settled]


def test_small_changes_are_exact_to_the_last_bits() -> None:
    y = np.linspace(-0.005, 0.005, 201)
    assert _exp_near_0(y) == pytest.approx(np.exp(y), rel=5e-16, abs=0)


def test_the_calm_are_settled_at_once_and_the_others_left_alone() -> None:
    """σ², 1 + Iφ², I and J² of one whose volatility hardly changes, two without slope, a far one."""
    rows = [(0.0036, 5, 4, 1), (1, 1, 0, 2), (0, 1, 0, 0), (0.5329, 1.07725, 5.15, 11004.01)]
    for row, rate in zip(rows, (1 / 1.44, 1.0, 0.0, 1 / 1.44), strict=True):
        squared, base, known, beaten = np.array([row], dtype=float).T
        growth, is_settled = _settle_calm(squared, base, known, beaten, rate)
        assert is_settled.tolist() == [row[1] == 5]
        wanted = settle((0.06, 1, 4, 1)).volatility ** 2 / 0.0036 if row[1] == 5 else [1.0]
        assert growth == pytest.approx(wanted, rel=1e-12)
    level = settle_volatility(*np.array([[1.0, 0.0, 0.0, 2**0.5]]).T, tau=1.0, highest=10)
    assert np.isfinite(level.volatility).all()


def test_without_volatility_is_refused() -> None:
    system, column = Glicko2(Glicko2Parameters()), np.array([50.0])
    message = "^players have no volatility: Glicko-2 needs one for every player$"
    with pytest.raises(ValueError, match=message):
        system.grow(column, None, column)
    assert np.isfinite(system.periods_until(column, 110, 0.0)).all()


def test_who_did_not_play_takes_no_steps() -> None:
    system, played = Glicko2(Glicko2Parameters()), np.array([40, 5, 3])
    before = Ratings(np.full(3, 1500.0), np.full(3, 50.0), None, played, played)
    game = Duels(np.array([0]), np.array([2]), np.array([1.0]))
    assert len(system.rate_settled(before, game)[1].steps) == 2


def test_rating_tells_the_steps_and_counts_as_told() -> None:
    system, played = Glicko2(Glicko2Parameters()), np.array([40, 5])
    before = Ratings(np.array([1500.0, 1600.0]), np.array([50.0, 90.0]), None, played, played)
    game = Duels(np.array([0]), np.array([1]), np.array([1.0]))
    after, settled = system.rate_settled(before, game)
    assert settled.steps.tolist() == [2, 2]
    assert after.counted.tolist() == [40, 6]
    all_counted, _ = system.rate_settled(before, game, all_count=True)
    assert all_counted.counted.tolist() == [41, 6]
