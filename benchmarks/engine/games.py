"""Games among players of uneven activity, the same for everybody who is measured."""

from pathlib import Path

import numpy as np

from ratings.systems.arrays import Ints

__all__ = ["PERIODS", "PLAYERS", "write_duels", "write_everyone", "write_teams"]

PLAYERS, PERIODS, DRAWS = 100_000, 20, 0.05
_ACTIVITY = np.cumsum(np.random.default_rng(1).lognormal(0.0, 1.0, PLAYERS))


def write_duels(path: Path, games: int) -> None:
    """One against one in 20 periods: who wins follows from a hidden strength, 5% are drawn."""
    rng = np.random.default_rng(2026)
    first, second = _draw(rng, (2, games))
    while (same := np.flatnonzero(first == second)).size:
        second[same] = _draw(rng, same.shape)
    strength = rng.normal(0, 250, PLAYERS)
    chance = 1 / (1 + 10 ** ((strength[second] - strength[first]) / 400))
    score = (rng.random(games) < chance).astype(np.float64)
    score[rng.random(games) < DRAWS] = 0.5
    period = np.arange(games) * PERIODS // games
    np.savez(
        path,
        players=PLAYERS,
        team_size=1,
        first=first,
        second=second,
        score=score,
        period=period,
    )


def write_teams(path: Path, games: int, size: int) -> None:
    """Two teams of `size` in each match, long format; 5% are drawn."""
    rng = np.random.default_rng(2027)
    player = np.empty((games, 2 * size), dtype=np.int64)
    for game in range(games):
        player[game] = _distinct(rng, 2 * size)
    second_wins = (rng.random(games) < 0.5).astype(np.int64)
    rank = np.stack((second_wins, 1 - second_wins), axis=1)
    rank[rng.random(games) < DRAWS] = 0
    np.savez(
        path,
        players=PLAYERS,
        team_size=size,
        player=player.ravel(),
        rank=np.repeat(rank.ravel(), size),
        contest=np.repeat(np.arange(games), 2 * size),
        team=np.tile(np.repeat([0, 1], size), games),
    )


def write_everyone(path: Path, games: int, size: int) -> None:
    """Matches of `size` players, everyone for themselves, in 20 periods; places by lot, some of them shared."""
    rng = np.random.default_rng(2028)
    player = np.empty((games, size), dtype=np.int64)
    for game in range(games):
        player[game] = _distinct(rng, size)
    rank = rng.permuted(np.tile(np.arange(size), (games, 1)), axis=1)
    rank[rng.random(games) < DRAWS] //= 2
    np.savez(
        path,
        players=PLAYERS,
        players_of_match=size,
        player=player.ravel(),
        rank=rank.ravel(),
        contest=np.repeat(np.arange(games), size),
        team=np.tile(np.arange(size), games),
        period=np.arange(games) * PERIODS // games,
    )


def _draw(rng: np.random.Generator, shape: tuple[int, ...]) -> Ints:
    """Players by an activity that is log-normal: the keenest play fifty times as often as most."""
    drawn: Ints = np.searchsorted(_ACTIVITY, rng.random(shape) * _ACTIVITY[-1])
    return np.minimum(drawn, PLAYERS - 1)


def _distinct(rng: np.random.Generator, number: int) -> Ints:
    chosen = np.unique(_draw(rng, (number,)))
    while len(chosen) < number:
        chosen = np.unique(np.append(chosen, _draw(rng, (number,))))
    return rng.permutation(chosen)[:number]
