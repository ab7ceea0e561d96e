"""Waves: every game once, after the earlier games of both its players."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.arrays import Ints
from ratings.systems.waves import play_in_waves


class Witness:
    """Notes the games of a stream as they are played."""

    def __init__(self, players: Ints) -> None:
        self.players = players
        self.played: list[int] = []
        self.waves: list[int] = []
        self.last: dict[int, int] = {}

    def play_wave(self, games: Ints, players: Ints) -> None:
        assert len(np.unique(players)) == players.size
        self.waves.append(games.size)
        self.play_one_by_one(games, players)

    def play_one_by_one(self, games: Ints, players: Ints) -> None:
        assert players.shape == (2, games.size)
        assert np.array_equal(players, self.players[:, games])
        for game, pair in zip(games.tolist(), players.T.tolist(), strict=True):
            for player in pair:
                assert self.last.get(player, -1) < game
                self.last[player] = game
            self.played.append(game)


def witness(players: Ints) -> Witness:
    seen = Witness(players)
    play_in_waves(seen, *players)
    assert sorted(seen.played) == list(range(players.shape[1]))
    return seen


def crowd(seed: int, players: int, games: int, *, favourites: int = 0) -> Ints:
    random = np.random.default_rng(seed)
    first = random.integers(0, players, games)
    if favourites:
        first[::2] = random.integers(0, favourites, len(first[::2]))
    return np.stack((first, (first + random.integers(1, players, games)) % players))


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 400),
    st.integers(0, 600),
    st.integers(0, 2),
)
def test_every_players_games_keep_their_order(
    seed: int, players: int, games: int, favourites: int
) -> None:
    witness(crowd(seed, players, games, favourites=favourites))


@pytest.mark.parametrize("favourites", [0, 3, 60])
def test_long_streams_keep_their_order_over_many_windows(favourites: int) -> None:
    seen = witness(crowd(7, 5000, 40_000, favourites=favourites))
    assert sum(seen.waves) > 4_000


def test_players_of_a_ladder_of_millions_keep_their_order_alike() -> None:
    few = witness(crowd(7, 500, 4000))
    many = witness(crowd(7, 500, 4000) + 5_000_000)
    assert few.waves
    assert many.played == few.played


def test_games_that_share_nobody_are_one_wave() -> None:
    assert witness(np.arange(2000).reshape(2, 1000)).waves == [1000]


def test_a_game_frees_the_next_one_of_both_its_players() -> None:
    """Two rounds of pairs, the second between neighbours of the first: two waves."""
    pairs = np.arange(400).reshape(200, 2)
    following = np.roll(np.arange(400), -1).reshape(200, 2)
    assert witness(np.concatenate((pairs, following)).T).waves == [200, 200]
    assert witness(np.concatenate((pairs, pairs)).T).waves == [200, 200]


def test_thin_chains_are_played_in_their_order() -> None:
    chain = np.stack((np.arange(500), np.arange(1, 501)))
    seen = witness(chain)
    assert seen.waves == []
    assert seen.played == list(range(500))


def test_no_games() -> None:
    assert witness(np.empty((2, 0), dtype=np.int64)).played == []
