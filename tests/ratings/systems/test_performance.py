"""Performance ratings, and totals of which only the sum is known."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import expected_total, performance_rating, rate_total

OPPONENTS = [2470, 2485, 2560, 2615, 2510, 2410]
MEAN = sum(OPPONENTS) / 6


def test_published_tournament() -> None:
    performance = performance_rating(OPPONENTS, 4.5)
    assert performance.mean_opponent == pytest.approx(2508.333, abs=5e-4)
    assert performance.share == 0.75
    assert performance.rating == pytest.approx(2699.181835, abs=5e-7)
    assert performance.undefined is None
    assert performance.games == 6
    assert not performance.is_span_too_wide
    assert performance.has_few_games


def test_total_known() -> None:
    assert expected_total(2635, MEAN, 6) / 6 == pytest.approx(0.674619, abs=5e-7)
    after = rate_total(2635, MEAN, 6, 4.5, k=10)
    assert after == pytest.approx(2639.522851, abs=5e-7)


@pytest.mark.parametrize(
    ("opponents", "score", "reason"),
    [([1500, 1600], 2, "all_won"), ([1500, 1600], 0, "all_lost"), ([], 0, "no_games")],
)
def test_undefined_says_why(opponents: list[float], score: float, reason: str) -> None:
    performance = performance_rating(opponents, score)
    assert performance.rating is None
    assert performance.undefined == reason


def test_wide_fields_are_flagged() -> None:
    assert not performance_rating([1200, 1800], 1).is_span_too_wide
    assert performance_rating([1200, 1801], 1).is_span_too_wide
    assert not performance_rating([1200, 1801], 1, class_interval=201).is_span_too_wide


def test_thirty_games_are_enough() -> None:
    assert performance_rating([1500] * 29, 10).has_few_games
    assert not performance_rating([1500] * 30, 10).has_few_games


@pytest.mark.parametrize("score", [-0.5, 2.5, math.nan])
def test_impossible_scores_are_refused(score: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 2"):
        performance_rating([1500, 1600], score)


def test_infinite_opponents_are_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        performance_rating([1500, math.inf], 1)


@given(st.lists(st.floats(0, 3500), min_size=1, max_size=40), st.data())
def test_a_performance_is_what_its_score_predicts(
    opponents: list[float], data: st.DataObject
) -> None:
    score = data.draw(st.integers(0, 2 * len(opponents))) / 2
    performance = performance_rating(opponents, score)
    if performance.rating is None:
        assert score in (0, len(opponents))
    else:
        assert performance.mean_opponent is not None
        total = expected_total(performance.rating, performance.mean_opponent, len(opponents))
        assert total == pytest.approx(score, abs=1e-9)


def test_very_large_ratings_have_a_performance() -> None:
    performance = performance_rating([1.7e308, 1.7e308, -1e308], 1.5)
    assert performance.rating == pytest.approx(0.8e308)
    assert performance.is_span_too_wide
