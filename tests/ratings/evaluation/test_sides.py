"""What a side is worth, found again from games that were made with a known worth."""

import numpy as np
import pytest

from ratings.evaluation.sides import SidedGames, points_by_ground, points_of_side
from ratings.systems import System, create
from ratings.systems.arrays import Floats
from ratings.systems.elo.curve import outcome_chances
from ratings.systems.elo.draws_and_side import estimate_draws_and_side


def games_of(
    system: System, value: Floats, actual: Floats, deviation: float | None = None
) -> SidedGames:
    n, players = value.shape
    deviations = None if deviation is None else np.full(value.size, deviation)
    team = np.tile(np.repeat([0, 1], players // 2), n)
    starts = np.arange(n + 1) * players
    return SidedGames(system, starts, team, value.ravel(), deviations, np.ones(value.size), actual)


def played(system: System, value: Floats, worth: Floats, deviation: float | None) -> SidedGames:
    """Games in which the first side had this worth, won and lost by chance."""
    n = len(value)
    chance = games_of(system, value, np.zeros(n), deviation).expect(worth)
    won = np.random.default_rng(3).uniform(size=n) < chance
    return games_of(system, value, won.astype(float), deviation)


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "start", "spread", "deviation", "size", "worth"),
    [
        ("elo", 1500.0, 200.0, None, 1, 45.0),
        ("elo", 1500.0, 200.0, None, 1, -120.0),
        ("elo_normal", 1500.0, 200.0, None, 1, 45.0),
        ("glicko", 1500.0, 200.0, 80.0, 1, 45.0),
        ("glicko2", 1500.0, 200.0, 80.0, 1, 45.0),
        ("trueskill", 25.0, 6.0, 2.0, 1, 1.5),
        ("trueskill", 25.0, 6.0, 2.0, 3, 1.5),
    ],
)
def test_the_worth_is_found_again(
    name: str, start: float, spread: float, deviation: float | None, size: int, worth: float
) -> None:
    n = 40_000
    value = np.random.default_rng(1).normal(start, spread, (n, 2 * size))
    games = played(create(name), value, np.full(n, worth), deviation)
    assert points_of_side(games) == pytest.approx(worth, abs=0.035 * spread)


def test_it_is_the_gamma_of_davidson_and_beaver() -> None:
    """With draws of the known ν and sides of the known γ, both ways of estimating agree."""
    n, nu, gamma = 30_000, 0.8, 0.6
    random = np.random.default_rng(5)
    value = random.normal(1500, 150, (n, 2))
    ahead = value[:, 0] - value[:, 1]
    chances = outcome_chances(ahead, side=1.0, draw_nu=nu, side_gamma=gamma)
    drawn = random.uniform(size=n)
    score = np.where(drawn < chances.win, 1.0, np.where(drawn < chances.win + chances.draw, 0.5, 0))
    found = estimate_draws_and_side(ahead, score, np.ones(n))
    # ν of games in which nobody plays the better side: that of the curve without the side.
    neutral = create("elo", draw_nu=found.draw_nu / found.side_gamma**0.5)
    points = points_of_side(games_of(neutral, value, score))
    assert points == pytest.approx(-400 * np.log10(found.side_gamma), abs=0.5)
    assert points == pytest.approx(-400 * np.log10(gamma), abs=6)


def test_a_ground_speaks_for_itself_with_many_games_and_hardly_with_few() -> None:
    many, few = 20_000, 4
    ground = np.array([0] * many + [1] * many + [2] * few)
    value = np.random.default_rng(1).normal(1500, 200, (len(ground), 2))
    worth = np.where(ground == 1, 90.0, 0.0)
    games = played(create("elo"), value, worth, None)
    games.actual[-few:] = 1.0
    overall = points_of_side(games)
    assert overall == pytest.approx(45, abs=8)
    by_ground = points_by_ground(games, ground, 4, overall)
    assert by_ground[0] == pytest.approx(0, abs=8)
    assert by_ground[1] == pytest.approx(90, abs=8)
    assert overall < by_ground[2] < overall + 40
    assert by_ground[3] == pytest.approx(overall, abs=0.1)


def test_a_side_that_always_wins_is_worth_much_and_not_without_end() -> None:
    games = games_of(create("elo"), np.full((100, 2), 1500.0), np.ones(100))
    assert points_of_side(games) == pytest.approx(1024)
    assert games.expect(np.full(100, 1024.0))[0] > 0.99


def test_sides_that_change_nothing_are_worth_nothing() -> None:
    value = np.full((100, 2), 1500.0)
    assert points_of_side(games_of(create("elo"), value, np.full(100, 0.5))) == pytest.approx(
        0, abs=1e-6
    )
