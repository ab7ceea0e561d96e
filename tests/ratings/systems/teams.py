"""Contests written as lists of teams, and strategies for them."""

import math

import numpy as np
from hypothesis import strategies as st

from ratings.systems import Contests, Ratings

__all__ = ["Fixture", "as_contests", "fixtures", "parts", "skills"]

# Of each contest the teams, of each team its rank, and of each player (position, weight).
Fixture = list[tuple[int, list[tuple[int, float]]]]


def as_contests(games: list[Fixture]) -> Contests:
    rows = [
        (contest, number, player, rank, weight)
        for contest, game in enumerate(games)
        for number, (rank, team) in enumerate(game)
        for player, weight in team
    ]
    columns = np.array(rows).reshape(-1, 5).T
    contest, number, player, rank = columns[:4].astype(np.int64)
    return Contests(contest, number, player, rank, columns[4])


def parts(game: Fixture) -> list[list[tuple[float, float]]]:
    """What TrueSkill takes each player for, by team: the shares of a seat to stand for, and to learn by."""
    teams = [[share for _, share in team] for _, team in game]
    needed = [math.ceil(sum(team) - 1e-9) for team in teams]
    fewest = min(map(len, teams))
    seats = [fewest] * len(teams) if max(needed) <= fewest else needed
    found = []
    for team, count in zip(teams, seats, strict=True):
        away = sum(1 - share for share in team)
        filled = min(max(count - sum(team), 0.0) / away, 1.0) if away else 0.0
        stands = [share + (1 - share) * filled for share in team]
        found.append(
            [(one, max(share, 0.75 * one)) for one, share in zip(stands, team, strict=True)]
        )
    return found


@st.composite
def fixtures(draw: st.DrawFn, players: int, *, ties: bool = True, most_teams: int = 4) -> Fixture:
    """A contest of two teams or more among some of `players`."""
    order = draw(st.permutations(range(players)))
    k = draw(st.integers(2, min(most_teams, players)))
    sizes = [draw(st.integers(1, max(1, players // k))) for _ in range(k)]
    ranks = (
        draw(st.lists(st.integers(0, k - 1), min_size=k, max_size=k))
        if ties
        else draw(st.permutations(range(k)))
    )
    weights = st.sampled_from([0.0, 0.25, 1.0, 1.0, 1.0]) | st.floats(0.01, 1)
    game: Fixture = []
    for size, rank in zip(sizes, ranks, strict=True):
        members, order = order[:size], order[size:]
        game.append((rank, [(player, draw(weights)) for player in members]))
    return game


@st.composite
def skills(
    draw: st.DrawFn,
    players: int,
    *,
    value: st.SearchStrategy[float] | None = None,
    deviation: st.SearchStrategy[float] | None = None,
) -> Ratings:
    """Ratings on TrueSkill's scale."""

    def column(numbers: st.SearchStrategy[float]) -> np.ndarray:
        return np.array(draw(st.lists(numbers, min_size=players, max_size=players)))

    games = column(st.integers(0, 40)).astype(np.int64)
    return Ratings(
        column(st.floats(0, 50) if value is None else value),
        column(st.floats(0.5, 25 / 3) if deviation is None else deviation),
        None,
        games,
        games // 2,
    )
