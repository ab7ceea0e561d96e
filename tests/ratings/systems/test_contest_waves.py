"""Waves: every game once, nobody twice in one, everybody's games in their order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import contest_waves as waves
from ratings.systems.contest_waves import find_waves, stretches

GAMES = st.lists(st.sets(st.integers(0, 9), min_size=1, max_size=5).map(sorted), max_size=60)


def check(games: list[list[int]]) -> int:
    """Check the waves of games given as lists of players; how many there are."""
    starts = np.cumsum([0, *map(len, games)])
    players = np.array([player for game in games for player in game], dtype=np.int64)
    order: list[int] = []
    count = 0
    for wave in find_waves(starts, players):
        met = [player for game in wave.tolist() for player in games[game]]
        assert wave.size
        assert len(met) == len(set(met))
        order += wave.tolist()
        count += 1
    assert sorted(order) == list(range(len(games)))
    for player in {player for game in games for player in game}:
        own = [game for game in order if player in games[game]]
        assert own == sorted(own)
    return count


@given(GAMES)
def test_all_in_one_window(games: list[list[int]]) -> None:
    check(games)


@pytest.mark.parametrize("window", [1, 7, 40])
@pytest.mark.parametrize("smallest", [1, 3])
def test_across_windows(window: int, smallest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waves, "_WINDOW", window)
    monkeypatch.setattr(waves, "_SMALLEST_WAVE", smallest)
    random = np.random.default_rng(window)
    for players in (5, 12, 300):
        check([random.permutation(players)[: random.integers(1, 5)].tolist() for _ in range(200)])


def test_games_without_a_player_in_common_are_one_wave() -> None:
    assert check([[2 * game, 2 * game + 1] for game in range(500)]) == 1


def test_games_of_the_same_two_are_a_wave_each() -> None:
    assert check([[0, 1]] * 90) == 90


def test_stretches() -> None:
    assert stretches(np.array([3, 10, 0]), np.array([2, 0, 3])).tolist() == [3, 4, 0, 1, 2]
    assert stretches(np.empty(0, int), np.empty(0, int)).tolist() == []


@pytest.mark.parametrize("highest", [300, 10**6])
def test_counting_finds_the_waves_of_sorting(highest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(highest)
    players = random.integers(0, highest, 6000)
    starts = np.arange(6001)
    counted = [wave.tolist() for wave in find_waves(starts, players)]
    monkeypatch.setattr(waves, "_FEW", 10**9)
    assert counted == [wave.tolist() for wave in find_waves(starts, players)]
