"""Made-up games for the tests of predictions."""

import numpy as np

from ratings.evaluation import Played
from ratings.systems import Contests, Duels

__all__ = ["DAY", "contests", "duels", "planted"]

DAY = 86_400_000_000


def duels(games: int, players: int, *, days: float = 60, seed: int = 3) -> Played:
    """Random duels with draws, sides and points over so many days."""
    random = np.random.default_rng(seed)
    at = np.sort(random.uniform(0, days * DAY, games)).astype(np.int64)
    first = random.integers(0, players, games)
    second = (first + random.integers(1, players, games)) % players
    points = random.integers(0, 6, (games, 2)).astype(float)
    score = (np.sign(points[:, 0] - points[:, 1]) + 1) / 2
    side = random.integers(0, 2, games).astype(float)
    results = Duels(first, second, score, side, points)
    return Played(at, results, [f"p{n}" for n in range(players)], np.full((games, 2), 15.0))


def contests(games: int, players: int, *, days: float = 60, seed: int = 4) -> Played:
    """Random contests of two to four teams of one to three players, ties among them."""
    random = np.random.default_rng(seed)
    rows = []
    for contest in range(games):
        sizes = random.integers(1, 4, random.integers(2, 5)).tolist()
        who = iter(random.permutation(players)[: sum(sizes)].tolist())
        for team, size in enumerate(sizes):
            rank = int(random.integers(0, len(sizes)))
            rows += [(contest, team, next(who), rank) for _ in range(size)]
    at = np.sort(random.uniform(0, days * DAY, games)).astype(np.int64)
    contest, team, player, rank = np.array(rows, dtype=np.int64).T
    score = random.uniform(0, 30, len(rows))
    minutes = random.uniform(1, 20, len(rows))
    results = Contests(contest, team, player, rank, np.ones(len(rows)), score, minutes)
    return Played(at, results, [f"p{n}" for n in range(players)])


def planted(
    games: int, players: int, *, spread: float, side: float, draws: float = 0.0, seed: int = 5
) -> Played:
    """Duels between players of fixed strength (rating points, normal), decided by Elo's curve.

    `side` points go to the first player in three games of four; a share `draws` of the games is drawn.
    """
    random = np.random.default_rng(seed)
    strength = random.normal(0, spread, players)
    first = random.integers(0, players, games)
    second = (first + random.integers(1, players, games)) % players
    sides = (random.random(games) < 0.75).astype(float)
    ahead = strength[first] - strength[second] + side * sides
    won = random.random(games) < 1 / (1 + 10 ** (-ahead / 400))
    score = np.where(random.random(games) < draws, 0.5, won.astype(float))
    at = np.arange(games) * (games and 400 * DAY // games)
    names = [f"p{n}" for n in range(players)]
    return Played(at, Duels(first, second, score, sides), names)
