"""The shooter ladder: what holds for every input."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import Duels, Ratings, create
from tests.ratings.systems import strategies
from tests.ratings.systems.frags.reference_frags import play_all, share

N = 6
FIGURES = ("expected", "actual", "weight", "contribution", "value_before", "value_after")
COUNTS = st.one_of(st.integers(-3, 15), st.floats(-30, 90))


@st.composite
def duels(draw: st.DrawFn, players: int) -> Duels:
    """Duels with counts of frags."""
    games = draw(strategies.duels(players))
    count = st.lists(COUNTS, min_size=2 * len(games), max_size=2 * len(games))
    points = np.array(draw(count), dtype=float).reshape(-1, 2)
    return replace(games, points=points)


@given(strategies.ratings(N), duels(N), st.floats(0, 200), st.floats(50, 1000))
def test_equals_duel_by_duel(before: Ratings, games: Duels, k: float, scale: float) -> None:
    system = create("frags", k=k, scale=scale)
    after, changes = system.rate_explained(before, games)
    assert after.value == pytest.approx(play_all(before, games, k=k, scale=scale), abs=1e-9)
    assert (after.value >= 0).all()
    gained = np.bincount(changes.player, weights=changes.contribution, minlength=N)
    assert before.value + gained == pytest.approx(after.value, abs=1e-9)
    assert (changes.weight <= k * (1 + 1e-9)).all()
    assert np.array_equal(system.rate(before, games).value, after.value)


def crowd(seed: int, players: int, games: int) -> Duels:
    random = np.random.default_rng(seed)
    first = random.integers(0, players, games)
    second = (first + random.integers(1, players, games)) % players
    points = random.integers(-2, 12, (games, 2)).astype(float)
    return Duels(first, second, np.full(games, 0.5), None, points)


@pytest.mark.parametrize("players", [2, 60, 3000])
@pytest.mark.parametrize("all_count", [True, False])
def test_same_bits_whatever_the_batches(players: int, all_count: bool) -> None:
    """Few players play one by one, many in waves, single games as arrays of one."""
    games, system = crowd(players, players, 3000), create("frags", established_after=5)
    start = np.random.default_rng(1).uniform(0, 300, players)
    many = np.arange(players) % 7
    before = Ratings(start, None, None, many, many)
    at_once, explained = system.rate_explained(before, games, all_count=all_count)
    assert at_once.value == pytest.approx(play_all(before, games), abs=1e-9)
    batched, rows = before, []
    for part in np.array_split(np.arange(len(games)), 211):
        piece = games.part(int(part[0]), int(part[-1]) + 1)
        batched, changes = system.rate_explained(batched, piece, all_count=all_count)
        rows.append(changes)
    assert np.array_equal(batched.value, at_once.value)
    assert np.array_equal(batched.counted, at_once.counted)
    for name in (*FIGURES, "status_before"):
        parts = np.concatenate([getattr(changes, name) for changes in rows])
        assert np.array_equal(parts, getattr(explained, name)), name


@given(strategies.ratings(N), duels(N))
def test_zero_sum_above_the_floor(before: Ratings, games: Duels) -> None:
    high = replace(before, value=before.value + 40 * len(games))
    for rate in (create("frags").rate, create("frags").rate_event):
        assert rate(high, games).value.sum() == pytest.approx(high.value.sum(), abs=1e-7)


@given(strategies.ratings(N), duels(N))
def test_a_period_keeps_the_floor_and_adds_up(before: Ratings, games: Duels) -> None:
    after, changes = create("frags").rate_event_explained(before, games)
    assert (after.value >= 0).all()
    gained = np.bincount(changes.player, weights=changes.contribution, minlength=N)
    assert before.value + gained == pytest.approx(after.value, abs=1e-9)


@given(strategies.ratings(N), duels(N), st.permutations(range(N)))
def test_names_of_players_do_not_matter(before: Ratings, games: Duels, places: list[int]) -> None:
    system, new_place = create("frags"), np.argsort(places)
    renamed = replace(games, first=new_place[games.first], second=new_place[games.second])
    for rate in (system.rate, system.rate_event):
        wanted = rate(before, games).take(places)
        assert rate(before.take(places), renamed).value == pytest.approx(wanted.value, abs=1e-9)


@given(strategies.ratings(N), duels(N))
def test_order_within_an_event_does_not_matter(before: Ratings, games: Duels) -> None:
    assert games.points is not None
    points = games.points[::-1, ::-1]
    turned = Duels(games.second[::-1], games.first[::-1], 1 - games.score[::-1], None, points)
    wanted, after = (create("frags").rate_event(before, given) for given in (games, turned))
    assert after.value == pytest.approx(wanted.value, abs=1e-9)


@given(strategies.ratings(2), COUNTS, COUNTS)
def test_an_event_of_one_duel_equals_the_instant_duel(
    before: Ratings, first: float, second: float
) -> None:
    game = Duels(
        np.array([0]), np.array([1]), np.array([0.5]), None, np.array([[first, second]], float)
    )
    instant, event = create("frags").rate(before, game), create("frags").rate_event(before, game)
    assert instant.value == pytest.approx(event.value, abs=1e-9)


@given(st.integers(-20, 20), st.integers(-20, 20), st.integers(0, 9))
def test_another_frag_never_weakens_play(first: int, second: int, more: int) -> None:
    assert share(first, second) <= share(first + more, second)
    assert share(first, second) + share(second, first) == pytest.approx(1)


@given(strategies.ratings(2))
def test_predictions_are_symmetric(before: Ratings) -> None:
    both = create("frags").expected(before, [0, 1], [1, 0])
    assert both.sum() == pytest.approx(1, abs=1e-12)
    assert (both[0] - both[1]) * (before.value[0] - before.value[1]) >= 0


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=8, max_size=8),
)
def test_finite_for_every_finite_input(values: list[float], counts: list[float]) -> None:
    system, nothing = create("frags"), np.zeros(3, dtype=np.int64)
    before = Ratings(np.array(values), None, None, nothing, nothing)
    points = np.array(counts).reshape(4, 2)
    games = Duels(np.array([0, 1, 2, 0]), np.array([1, 2, 0, 1]), np.full(4, 0.5), None, points)
    for rate in (system.rate_explained, system.rate_event_explained):
        after, changes = rate(before, games)
        assert np.isfinite(after.value).all()
        for name in FIGURES:
            assert np.isfinite(getattr(changes, name)).all(), name
    assert np.isfinite(system.expected(before, [0, 1, 2], [1, 2, 0])).all()
