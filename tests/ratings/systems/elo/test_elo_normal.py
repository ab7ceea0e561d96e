"""Elo with normal performances: published figures, zero sums, both ways of playing."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import Duels, Ratings, Status, create
from tests.ratings.systems import strategies

N = 6


def pair(first: float, second: float) -> Ratings:
    return Ratings(np.array([first, second]), None, None, np.zeros(2, int), np.zeros(2, int))


def duel(score: float) -> Duels:
    return Duels(np.array([0]), np.array([1]), np.array([score]))


@pytest.mark.parametrize(
    ("first", "score", "gain"),
    [
        (1500, 1.0, 12.407177),
        (1700, 1.0, 5.949243),
        (1700, 0.0, -18.865111),
        (1700, 0.5, -6.457934),
    ],
)
def test_known_figures(first: float, score: float, gain: float) -> None:
    system = create("elo_normal", alpha=0.07, beta=200)
    for rate in (system.rate, system.rate_event):
        after = rate(pair(first, 1500), duel(score))
        assert after.value - [first, 1500] == pytest.approx([gain, -gain], abs=5e-7)


def play_all(before: Ratings, games: Duels, *, all_count: bool, established_after: int) -> Ratings:
    """Game by game, as the rules read."""
    weight = 0.07 * 200 * math.sqrt(math.pi)
    value, count, counted = (c.tolist() for c in (before.value, before.games, before.counted))
    for a, b, score in zip(games.first, games.second, games.score, strict=True):
        chance = NormalDist(value[b], math.sqrt(2) * 200).cdf(value[a])
        is_established = [count[p] > 0 and counted[p] >= established_after for p in (a, b)]
        for player, sign, opponent in ((a, 1, 1), (b, -1, 0)):
            value[player] = max(value[player] + sign * weight * (score - chance), 0.0)
            count[player] += 1
            counted[player] += all_count or is_established[opponent]
    return Ratings(np.array(value), None, None, np.array(count), np.array(counted))


@given(
    strategies.ratings(N),
    strategies.duels(N),
    st.booleans(),
    st.integers(1, 12),
    st.integers(0, 40),
)
def test_instant_equals_game_by_game(
    before: Ratings, games: Duels, all_count: bool, established_after: int, cut: int
) -> None:
    system = create("elo_normal", established_after=established_after)
    after, changes = system.rate_explained(before, games, all_count=all_count)
    wanted = play_all(before, games, all_count=all_count, established_after=established_after)
    assert after.value == pytest.approx(wanted.value, abs=1e-9)
    assert after.games.tolist() == wanted.games.tolist()
    assert after.counted.tolist() == wanted.counted.tolist()
    halfway = system.rate(before, games.part(0, cut), all_count=all_count)
    batched = system.rate(halfway, games.part(cut, len(games)), all_count=all_count)
    assert batched.value.tolist() == after.value.tolist()
    gained = np.bincount(changes.player, weights=changes.contribution, minlength=N)
    if (changes.value_after > 0).all():
        assert before.value + gained == pytest.approx(after.value, abs=1e-9)


def test_a_crowd_is_rated_as_game_by_game() -> None:
    random = np.random.default_rng(5)
    first = random.integers(0, 2000, 9000)
    first[::3] = random.integers(0, 4, len(first[::3]))
    second = (first + random.integers(1, 2000, 9000)) % 2000
    games = Duels(first, second, random.integers(0, 3, 9000) / 2)
    system = create("elo_normal", established_after=5)
    before = system.initial(2000)
    after, changes = system.rate_explained(before, games, all_count=True)
    wanted = play_all(before, games, all_count=True, established_after=5)
    assert after.value == pytest.approx(wanted.value, abs=1e-9)
    assert after.counted.tolist() == wanted.counted.tolist()
    halves = [games.part(0, 4321), games.part(4321, 9000)]
    middle, one = system.rate_explained(before, halves[0], all_count=True)
    batched, other = system.rate_explained(middle, halves[1], all_count=True)
    assert np.array_equal(batched.value, after.value)
    for name in ("expected", "contribution", "value_before", "value_after", "status_before"):
        parts = np.concatenate([getattr(changes, name) for changes in (one, other)])
        assert np.array_equal(parts, getattr(changes, name)), name
    assert set(changes.status_before.tolist()) == {0, 1, 2}


@given(
    strategies.ratings(N, high_up=True),
    strategies.duels(N),
    st.floats(0.001, 0.999),
    st.floats(1, 1000),
)
def test_zero_sum_whatever_the_statuses(
    before: Ratings, games: Duels, alpha: float, beta: float
) -> None:
    system = create("elo_normal", alpha=alpha, beta=beta)
    for rate in (system.rate, system.rate_event):
        assert rate(before, games).value.sum() == pytest.approx(before.value.sum(), abs=1e-7)


@given(strategies.ratings(N), strategies.duels(N))
def test_order_within_an_event_does_not_matter(before: Ratings, games: Duels) -> None:
    turned = Duels(games.second[::-1], games.first[::-1], 1 - games.score[::-1])
    system = create("elo_normal")
    wanted, after = system.rate_event(before, games), system.rate_event(before, turned)
    assert after.value == pytest.approx(wanted.value, abs=1e-9)
    assert after.counted.tolist() == wanted.counted.tolist()


@given(strategies.ratings(2), st.floats(1, 10_000))
def test_predictions_are_symmetric_and_follow_the_ratings(before: Ratings, beta: float) -> None:
    both = create("elo_normal", beta=beta).expected(before, [0, 1], [1, 0])
    assert both.sum() == pytest.approx(1, abs=1e-12)
    assert (both[0] - both[1]) * (before.value[0] - before.value[1]) >= 0


@given(strategies.ratings(2))
def test_a_better_score_never_costs_points(before: Ratings) -> None:
    scores = [create("elo_normal").rate(before, duel(score)).value[0] for score in (0, 0.5, 1)]
    assert scores == sorted(scores)
    assert scores[0] <= before.value[0] <= scores[2]


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3),
    strategies.duels(3),
    st.floats(1, 10_000),
)
def test_finite_for_every_finite_rating(values: list[float], games: Duels, beta: float) -> None:
    system = create("elo_normal", beta=beta)
    before = Ratings(np.array(values), None, None, np.array([0, 5, 50]), np.array([0, 5, 50]))
    for rate in (system.rate_explained, system.rate_event_explained):
        after, changes = rate(before, games)
        assert np.isfinite(after.value).all()
        assert np.isfinite(changes.contribution).all()
    assert np.isfinite(system.expected(before, [0, 1, 2], [1, 2, 0])).all()


def test_an_event_is_computed_from_the_ratings_before_it() -> None:
    system, games = (
        create("elo_normal"),
        Duels(*(np.array(c) for c in ([0, 0], [1, 1], [1.0, 1.0]))),
    )
    after, changes = system.rate_event_explained(pair(1500, 1500), games)
    assert after.value == pytest.approx([1524.814353, 1475.185647], abs=1e-6)
    assert changes.value_after.tolist() == after.value[[0, 1, 0, 1]].tolist()
    assert changes.status_before.tolist() == [Status.NEW] * 4
    assert changes.weight == pytest.approx([24.814353] * 4, abs=1e-6)


def test_time_changes_nothing() -> None:
    system, before = create("elo_normal"), pair(1500, 1700)
    assert system.age(before, 3.5).value.tolist() == [1500, 1700]
    with pytest.raises(ValueError, match="must be finite"):
        system.age(before, -1)
    assert np.isinf(system.periods_until(np.array([50.0]), 100)).all()
    with pytest.raises(ValueError, match="player 1: must be below 1"):
        system.rate_event(before.take([0]), duel(1.0))
