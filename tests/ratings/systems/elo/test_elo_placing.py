"""Elo's first ratings from placement games."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import Duels, Ratings, create, performance_rating
from tests.ratings.systems import strategies

OPPONENTS = [2470.0, 2485.0, 2560.0, 2615.0, 2510.0, 2410.0]
SCORES = [1.0, 1.0, 1.0, 1.0, 0.5, 0.0]


def newcomer(*others: float, games: int = 40) -> Ratings:
    """A new player at 1500, position 0, and players with games."""
    played = np.array([0, *(games for _ in others)])
    return Ratings(np.array([1500.0, *others]), None, None, played, played)


def against_all(score: list[float]) -> Duels:
    size = len(score)
    return Duels(np.zeros(size, int), np.arange(1, size + 1), np.array(score))


def test_the_first_rating_is_the_performance() -> None:
    elo, before = create("elo", placement_games=6), newcomer(*OPPONENTS)
    after, changes = elo.rate_event_explained(before, against_all(SCORES))
    assert after.value[0] == pytest.approx(2699.181835, abs=5e-7)
    assert after.value[0] == pytest.approx(performance_rating(OPPONENTS, 4.5).rating)
    mine = changes.player == 0
    assert changes.contribution[mine].sum() == pytest.approx(after.value[0] - 1500)
    surprise = changes.actual[mine] - changes.expected[mine]
    assert changes.weight[mine] * surprise == pytest.approx(changes.contribution[mine])
    assert set(changes.value_after[mine].tolist()) == {after.value[0]}


def test_opponents_meet_the_rating_it_gave() -> None:
    elo, before = create("elo", placement_games=6, k_established=10), newcomer(*OPPONENTS)
    after, changes = elo.rate_event_explained(before, against_all(SCORES))
    expected = 1 / (1 + 10 ** ((after.value[0] - 2470) / 400))
    theirs = np.flatnonzero(changes.player == 1)[0]
    assert changes.expected[theirs] == pytest.approx(expected)
    assert after.value[1] == pytest.approx(2470 + 5 * (0 - expected))


def test_opponents_of_few_games_meet_it_too() -> None:
    """They are computed in the next stage, by when it is known."""
    elo, before = create("elo", placement_games=6, k_provisional=30), newcomer(*OPPONENTS, games=4)
    after, changes = elo.rate_event_explained(before, against_all(SCORES))
    expected = 1 / (1 + 10 ** ((after.value[0] - 2470) / 400))
    theirs = np.flatnonzero(changes.player == 1)[0]
    assert changes.expected[theirs] == pytest.approx(expected)


def test_one_game_may_be_enough() -> None:
    elo, before = create("elo", placement_games=1), newcomer(1700.0)
    after, changes = elo.rate_event_explained(before, against_all([0.5]))
    assert after.value[0] == pytest.approx(1700)
    assert changes.contribution[changes.player == 0] == pytest.approx([200])


@pytest.mark.parametrize("placement_games", [0, 7])
def test_with_too_few_games_or_switched_off_k_decides(placement_games: int) -> None:
    before, games = newcomer(*OPPONENTS), against_all(SCORES)
    after = create("elo", placement_games=placement_games).rate_event(before, games)
    expected = sum(1 / (1 + 10 ** ((rating - 1500) / 400)) for rating in OPPONENTS)
    assert after.value[0] == pytest.approx(1500 + 50 * (4.5 - expected))


@pytest.mark.parametrize(("score", "share"), [(1.0, 3.5 / 4), (0.0, 0.5 / 4)])
def test_all_won_or_all_lost_is_half_a_point_less_extreme(score: float, share: float) -> None:
    elo, others = create("elo", placement_games=3), [1400.0, 1600.0, 1700.0, 1300.0]
    after = elo.rate_event(newcomer(*others), against_all([score] * 4))
    assert after.value[0] == pytest.approx(performance_rating(others, 4 * share).rating)


def test_games_among_new_players_place_nobody() -> None:
    elo = create("elo", placement_games=2, k_new=50)
    before = Ratings(np.array([1500.0, 1500, 1900, 1900]), None, None, [0, 0, 9, 9], [0, 0, 9, 9])  # type: ignore[arg-type]
    games = Duels(np.array([0, 0, 0, 1]), np.array([1, 2, 3, 2]), np.array([1.0, 1.0, 0.0, 1.0]))
    after, changes = elo.rate_event_explained(before, games)
    assert after.value[0] == pytest.approx(1900)
    assert changes.contribution[0] == 0
    strong = 1 / (1 + 10 ** (400 / 400))
    assert after.value[1] == pytest.approx(1500 + 50 * (0 - 0.5) + 50 * (1 - strong))


def test_only_new_players_are_placed() -> None:
    before = Ratings(np.array([1500.0, 1900]), None, None, [1, 40], [0, 40])  # type: ignore[arg-type]
    games = Duels(np.zeros(3, int), np.ones(3, int), np.array([1.0, 0.0, 0.5]))
    placed = create("elo", placement_games=3).rate_event(before, games)
    assert placed.value.tolist() == create("elo").rate_event(before, games).value.tolist()


def test_games_rated_at_once_have_no_placement() -> None:
    before, games = newcomer(*OPPONENTS), against_all(SCORES)
    placed = create("elo", placement_games=1).rate(before, games)
    assert placed.value.tolist() == create("elo").rate(before, games).value.tolist()


@given(strategies.ratings(6), strategies.duels(6), st.integers(1, 5), st.permutations(range(40)))
def test_contributions_add_up_and_order_does_not_matter(
    before: Ratings, games: Duels, placement_games: int, order: list[int]
) -> None:
    elo = create("elo", placement_games=placement_games)
    after, changes = elo.rate_event_explained(before, games)
    gained = np.bincount(changes.player, weights=changes.contribution, minlength=6)
    if (changes.value_after > 0).all():
        assert before.value + gained == pytest.approx(after.value, abs=1e-7)
    mixed = [game for game in order if game < len(games)]
    turned = Duels(games.second[mixed], games.first[mixed], 1 - games.score[mixed])
    assert elo.rate_event(before, turned).value == pytest.approx(after.value, abs=1e-7)


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=4),
    strategies.duels(4),
)
def test_finite_for_every_finite_rating(values: list[float], games: Duels) -> None:
    before = Ratings(np.array(values), None, None, np.array([0, 0, 5, 50]), np.array([0, 0, 5, 50]))
    after, changes = create("elo", placement_games=1).rate_event_explained(before, games)
    for column in (after.value, changes.contribution, changes.weight, changes.expected):
        assert np.isfinite(column).all()
