"""Elo: what holds for every input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import Duels, Ratings, create
from tests.ratings.systems import strategies
from tests.ratings.systems.reference import play_all

N = 6


@given(strategies.ratings(N), strategies.duels(N), strategies.elo_parameters(), st.booleans())
def test_instant_equals_game_by_game(
    before: Ratings,
    games: Duels,
    parameters: dict[str, object],
    all_count: bool,
) -> None:
    elo = create("elo", **parameters)
    after, changes = elo.rate_explained(before, games, all_count=all_count)
    wanted = play_all(dict(elo.parameters), before, games, all_count=all_count)
    assert after.value == pytest.approx([player.value for player in wanted], abs=1e-9)
    assert after.games.tolist() == [player.games for player in wanted]
    assert after.counted.tolist() == [player.counted for player in wanted]
    assert np.array_equal(elo.rate(before, games, all_count=all_count).value, after.value)
    gained = np.bincount(changes.player, weights=changes.contribution, minlength=N)
    if (changes.value_after > 0).all():
        assert before.value + gained == pytest.approx(after.value, abs=1e-9)


def crowd(seed: int, players: int, games: int, *, favourites: int = 0) -> Duels:
    """Many games; `favourites` players take part in half of them."""
    random = np.random.default_rng(seed)
    first = random.integers(0, players, games)
    if favourites:
        first[::2] = random.integers(0, favourites, len(first[::2]))
    second = (first + random.integers(1, players, games)) % players
    return Duels(first, second, random.integers(0, 3, games) / 2)


CROWDS = [
    crowd(1, 2, 500),
    crowd(2, 60, 3000),
    crowd(3, 3000, 9000),
    crowd(4, 3000, 9000, favourites=5),
]


@pytest.mark.parametrize("games", CROWDS, ids=["two", "few", "many", "favourites"])
@pytest.mark.parametrize("policy", ["none", "step", "edges"])
class TestWaves:
    def before(self) -> Ratings:
        random = np.random.default_rng(9)
        games = random.integers(0, 30, 3000)
        return Ratings(random.normal(1600, 300, 3000), None, None, games, games // 2)

    def test_equal_game_by_game(self, games: Duels, policy: str) -> None:
        elo = create("elo", established_after=10, k_by_rating=policy)
        before = self.before()
        after = elo.rate(before, games)
        wanted = play_all(dict(elo.parameters), before, games, all_count=False)
        assert after.value == pytest.approx([player.value for player in wanted], abs=1e-9)
        assert after.counted.tolist() == [player.counted for player in wanted]

    def test_same_bits_whatever_the_batches(self, games: Duels, policy: str) -> None:
        elo = create("elo", established_after=10, k_by_rating=policy)
        at_once, explained = elo.rate_explained(self.before(), games)
        batched, rows = self.before(), []
        for part in np.array_split(np.arange(len(games)), 37):
            piece = Duels(games.first[part], games.second[part], games.score[part])
            batched, changes = elo.rate_explained(batched, piece)
            rows.append(changes)
        assert np.array_equal(batched.value, at_once.value)
        assert np.array_equal(batched.counted, at_once.counted)
        for name in ("expected", "weight", "contribution", "value_before", "value_after"):
            parts = np.concatenate([getattr(changes, name) for changes in rows])
            assert np.array_equal(parts, getattr(explained, name)), name


@given(strategies.ratings(N, high_up=True), strategies.duels(N), st.floats(0, 60))
def test_zero_sum_where_k_is_equal(before: Ratings, games: Duels, k: float) -> None:
    everybody_is_provisional = Ratings(
        before.value, None, None, np.ones(N, dtype=np.int64), np.zeros(N, dtype=np.int64)
    )
    elo = create("elo", k_provisional=k)
    for rate in (elo.rate, elo.rate_event):
        after = rate(everybody_is_provisional, games)
        assert after.value.sum() == pytest.approx(before.value.sum(), abs=1e-7)


@given(strategies.ratings(N), strategies.duels(N), st.permutations(range(N)))
def test_names_of_players_do_not_matter(before: Ratings, games: Duels, places: list[int]) -> None:
    elo, new_place = create("elo"), np.argsort(places)
    renamed = Duels(new_place[games.first], new_place[games.second], games.score)
    for rate in (elo.rate, elo.rate_event):
        expected = rate(before, games).take(places)
        assert rate(before.take(places), renamed).value == pytest.approx(expected.value, abs=1e-9)


@given(strategies.ratings(N), strategies.duels(N))
def test_order_within_an_event_does_not_matter(before: Ratings, games: Duels) -> None:
    turned = Duels(games.second[::-1], games.first[::-1], 1 - games.score[::-1])
    wanted = create("elo").rate_event(before, games)
    after = create("elo").rate_event(before, turned)
    assert after.value == pytest.approx(wanted.value, abs=1e-9)
    assert after.counted.tolist() == wanted.counted.tolist()


@given(strategies.ratings(2), strategies.SCORES)
def test_an_event_of_one_game_equals_the_instant_game(before: Ratings, score: float) -> None:
    game = Duels(np.array([0]), np.array([1]), np.array([score]))
    instant, event = create("elo").rate(before, game), create("elo").rate_event(before, game)
    assert instant.value == pytest.approx(event.value, abs=1e-9)


@given(strategies.ratings(2))
def test_a_better_score_never_costs_points(before: Ratings) -> None:
    def first_after(score: float) -> float:
        game = Duels(np.array([0]), np.array([1]), np.array([score]))
        return float(create("elo").rate(before, game).value[0])

    assert first_after(0.0) <= first_after(0.5) <= first_after(1.0)
    assert first_after(0.0) <= before.value[0] <= first_after(1.0)


@given(strategies.ratings(2))
def test_predictions_are_symmetric(before: Ratings) -> None:
    both = create("elo").expected(before, [0, 1], [1, 0])
    assert both.sum() == pytest.approx(1, abs=1e-12)
    assert (both[0] - both[1]) * (before.value[0] - before.value[1]) >= 0


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3),
    strategies.duels(3),
    strategies.elo_parameters(),
)
def test_finite_for_every_finite_rating(
    values: list[float], games: Duels, parameters: dict[str, object]
) -> None:
    elo = create("elo", **parameters)
    before = Ratings(np.array(values), None, None, np.array([0, 5, 50]), np.array([0, 5, 50]))
    for rate in (elo.rate, elo.rate_event):
        assert np.isfinite(rate(before, games).value).all()
    assert np.isfinite(elo.expected(before, [0, 1, 2], [1, 2, 0])).all()
