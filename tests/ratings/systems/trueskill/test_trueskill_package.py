"""TrueSkill agrees with the trueskill package on games of every shape.

Where the package is loose: its own Φ is good to 1e-7 and it stops after ten rounds of messages,
which makes up to 3e-5 of a point. It takes a weight below `min_delta` for `min_delta`, which is
1e-4 unless told otherwise: a hundredth of a point in games that nobody foresaw.

It is slow. For more games than a run of the tests looks at:

    .venv/bin/python -m tests.ratings.systems.trueskill.test_trueskill_package 2500
"""

import sys
import warnings

import numpy as np
import pytest

from ratings.systems import Ratings, create
from tests.ratings.systems.teams import Fixture, as_contests, parts

with warnings.catch_warnings():
    # Its docstring has a backslash that newer Pythons warn of when they compile it.
    warnings.simplefilter("ignore")
    import trueskill

Rated = list[tuple[float, float]]


def invent(random: np.random.Generator, first: int) -> Fixture:
    """Two to six teams of one to four; half of the games with ties, a third with partial play."""
    k = int(random.integers(2, 7))
    is_team_game, has_ties, is_partial = random.random(3) < (0.5, 0.5, 1 / 3)
    sizes = random.integers(1, 5, k) if is_team_game else np.ones(k, dtype=np.int64)
    ranks = random.integers(0, k, k) if has_ties else random.permutation(k)
    shares = random.uniform(0.2, 1, sizes.sum()) if is_partial else np.ones(sizes.sum())
    ends = np.cumsum(sizes)
    if is_partial and is_team_game:  # one member of a team did not take part at all
        shares[ends[sizes > 1][:1] - 1] = 0.0
    return [
        (int(rank), [(first + seat, float(shares[seat])) for seat in range(end - size, end)])
        for rank, size, end in zip(ranks, sizes, ends, strict=True)
    ]


def invent_many(seed: int, games: int) -> tuple[list[Fixture], Ratings]:
    """Games of which no two share a player, and everybody's ratings."""
    random = np.random.default_rng(seed)
    invented: list[Fixture] = []
    players = 0
    for _ in range(games):
        invented.append(invent(random, players))
        players += sum(len(team) for _, team in invented[-1])
    nothing = np.zeros(players, dtype=np.int64)
    value, deviation = random.normal(25, 6, players), random.uniform(0.7, 25 / 3, players)
    return invented, Ratings(value, deviation, None, nothing, nothing)


def rate_by_package(env: trueskill.TrueSkill, game: Fixture, ratings: Ratings) -> Rated:
    value, deviation = ratings.value, ratings.deviation
    assert deviation is not None
    groups = [[trueskill.Rating(value[who], deviation[who]) for who, _ in t] for _, t in game]
    parted = parts(game)
    stands = [[stood for stood, _ in team] for team in parted]
    rated = env.rate(groups, [rank for rank, _ in game], stands, min_delta=1e-9)
    members = [who for _, team in game for who, _ in team]
    ways = [learned / stood if stood else 1.0 for team in parted for stood, learned in team]
    found = []
    for who, way, after in zip(
        members, ways, [one for group in rated for one in group], strict=True
    ):
        grown = deviation[who] ** 2 + env.tau**2
        variance = grown + way * (after.sigma**2 - grown)
        found.append((value[who] + way * (after.mu - value[who]), variance**0.5))
    return found


@pytest.mark.parametrize("count", [250])
@pytest.mark.parametrize("draw_probability", [0.1, 0.3])
def test_games_of_every_shape(draw_probability: float, count: int) -> None:
    games, before = invent_many(seed=5, games=count)
    env = trueskill.TrueSkill(draw_probability=draw_probability)
    after = create("trueskill", draw_probability=draw_probability).rate(before, as_contests(games))
    assert after.deviation is not None
    theirs = np.array([row for g in games for row in rate_by_package(env, g, before)])
    assert np.abs(after.value - theirs[:, 0]).max() < 1e-4
    assert np.abs(after.deviation - theirs[:, 1]).max() < 1e-4


if __name__ == "__main__":
    for probability in (0.1, 0.3):
        test_games_of_every_shape(probability, count=int(sys.argv[1]))
