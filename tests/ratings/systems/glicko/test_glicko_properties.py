"""Glicko: what holds for every input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import Duels, Ratings, create
from tests.ratings.systems import strategies

N = 5
GLICKO = create("glicko")
FINITE = st.floats(allow_nan=False, allow_infinity=False)


def deviation_of(ratings: Ratings) -> np.ndarray:
    assert ratings.deviation is not None
    return ratings.deviation


def assert_same(one: Ratings, other: Ratings) -> None:
    assert one.value == pytest.approx(other.value, abs=1e-9)
    assert deviation_of(one) == pytest.approx(deviation_of(other), abs=1e-9)
    assert one.games.tolist() == other.games.tolist()
    assert one.counted.tolist() == other.counted.tolist()


@given(st.data(), strategies.ratings(N, with_deviation=True, high_up=True), strategies.duels(N))
def test_order_of_games_changes_nothing(data: st.DataObject, before: Ratings, games: Duels) -> None:
    order = np.array(data.draw(st.permutations(range(len(games)))), dtype=np.int64)
    shuffled = Duels(games.first[order], games.second[order], games.score[order])
    swapped = Duels(games.second, games.first, 1 - games.score)
    wanted = GLICKO.rate(before, games)
    assert_same(GLICKO.rate(before, shuffled), wanted)
    assert_same(GLICKO.rate(before, swapped), wanted)


@given(
    strategies.ratings(N, with_deviation=True, high_up=True),
    strategies.duels(N),
    st.permutations(range(N)),
)
def test_names_of_players_do_not_matter(before: Ratings, games: Duels, places: list[int]) -> None:
    new_place = np.argsort(places)
    renamed = Duels(new_place[games.first], new_place[games.second], games.score)
    assert_same(GLICKO.rate(before.take(places), renamed), GLICKO.rate(before, games).take(places))


@given(strategies.ratings(N, with_deviation=True, high_up=True), strategies.duels(N))
def test_contributions_add_up_to_the_change(before: Ratings, games: Duels) -> None:
    after, changes = GLICKO.rate_explained(before, games)
    gained = np.bincount(changes.player, weights=changes.contribution, minlength=N)
    assert after.value - before.value == pytest.approx(gained, abs=1e-9)
    assert changes.value_after.tolist() == after.value[changes.player].tolist()


@given(strategies.ratings(N, with_deviation=True, high_up=True), strategies.duels(N))
def test_playing_never_makes_less_certain(before: Ratings, games: Duels) -> None:
    after = GLICKO.rate(before, games)
    assert (deviation_of(after) <= deviation_of(before) + 1e-9).all()
    assert (deviation_of(after) >= 30).all()


@given(strategies.ratings(2, with_deviation=True, high_up=True))
def test_a_better_score_never_costs_points(before: Ratings) -> None:
    def first_after(score: float) -> float:
        return float(GLICKO.rate(before, Duels([0], [1], [score])).value[0])  # type: ignore[arg-type]

    assert first_after(0.0) <= first_after(0.5) <= first_after(1.0)
    assert first_after(0.0) <= before.value[0] <= first_after(1.0)


@given(strategies.ratings(2, with_deviation=True, high_up=True))
def test_predictions_are_symmetric(before: Ratings) -> None:
    both = GLICKO.expected(before, [0, 1], [1, 0])
    assert both.sum() == pytest.approx(1, abs=1e-12)


@given(st.floats(30, 350), st.floats(0, 500), st.floats(0, 500), st.floats(0, 20))
def test_time_adds_up(deviation: float, first: float, second: float, c: float) -> None:
    glicko = create("glicko", c=c)
    before = Ratings([1500.0], [deviation], None, [1], [1])  # type: ignore[arg-type]
    in_two = glicko.age(glicko.age(before, first), second)
    assert deviation_of(in_two) == pytest.approx(
        deviation_of(glicko.age(before, first + second)), abs=1e-9
    )


@given(st.floats(30, 350), st.floats(30, 350), st.floats(1, 50))
def test_a_threshold_is_reached_when_it_was_said_to_be(
    deviation: float, threshold: float, c: float
) -> None:
    glicko = create("glicko", c=c)
    periods = glicko.periods_until(np.array([deviation]), threshold)
    before = Ratings(np.array([1500.0]), np.array([deviation]), None, [1], [1])  # type: ignore[arg-type]
    aged = deviation_of(glicko.age(before, periods))
    assert aged == pytest.approx([max(deviation, threshold)], abs=1e-9)


@given(
    st.lists(FINITE, min_size=N, max_size=N),
    st.lists(st.floats(0, allow_infinity=False), min_size=N, max_size=N),
    strategies.duels(N),
)
def test_finite_for_every_finite_input(
    value: list[float], deviation: list[float], games: Duels
) -> None:
    nothing = np.zeros(N, dtype=np.int64)
    before = Ratings(np.array(value), np.array(deviation), None, nothing, nothing)
    after = GLICKO.age(GLICKO.rate(before, games), 3.5)
    assert np.isfinite(after.value).all()
    assert np.isfinite(deviation_of(after)).all()
    assert np.isfinite(GLICKO.expected(before, range(N), [0] * N)).all()


def test_a_thousand_upsets_in_one_period_stay_finite() -> None:
    before = Ratings([0.0, 3500.0], [350.0, 350.0], None, [0, 0], [0, 0])  # type: ignore[arg-type]
    games = Duels(np.zeros(1000, int), np.ones(1000, int), np.ones(1000))
    after = GLICKO.rate(before, games)
    assert np.isfinite(after.value).all()
    assert after.value[0] > 0
