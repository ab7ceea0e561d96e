"""Estimates of new players in a league whose strengths are known, and of a file of games."""

import numpy as np
import pytest

from ratings.evaluation import Played
from ratings.evaluation.behaviour import foretell_by_points, simulate_behaviour
from ratings.systems import Contests, Duels, create


def test_new_players_are_estimated_at_half_the_error_of_the_start_value() -> None:
    league = simulate_behaviour(players=250, newcomers=250, seed=4)
    assert league.established == 250
    ten = league.foretold[-1]
    assert ten.matches == 10
    assert ten.estimate is not None
    assert ten.start is not None
    assert ten.estimate <= 0.5 * ten.start
    errors = [one.estimate or 0.0 for one in league.foretold]
    assert errors == sorted(errors, reverse=True), "more matches tell more"


@pytest.mark.parametrize("system", ["glicko", "elo"])
def test_points_of_duels_foretell_ratings(system: str) -> None:
    random = np.random.default_rng(1)
    strength = random.normal(0, 1, 80)
    first, second = np.array([random.choice(80, 2, replace=False) for _ in range(1200)]).T
    points = random.poisson(10 * np.exp(0.4 * np.stack((strength[first], strength[second]), 1)))
    score = 0.5 + 0.5 * np.sign(points[:, 0] - points[:, 1])
    duels = Duels(first, second, score, None, points.astype(np.float64))
    day = 86_400 * 10**6
    played = Played(np.arange(1200) * day // 50, duels, [str(one) for one in range(80)])
    found = foretell_by_points(played, create(system), period_days=7.0, least_games=10)
    errors = found[-1].judgement.errors
    assert found[-1].judgement.chosen
    assert min(errors["ridge"], errors["boosting"]) < 0.7 * errors["mean"]
    assert found[0].judgement.players == 80


def test_needs_points() -> None:
    duels = Duels(np.array([0]), np.array([1]), np.array([1.0]))
    contests = Contests(np.array([0, 0]), np.array([0, 1]), np.array([0, 1]), np.array([0, 1]))
    for results in (duels, contests):
        played = Played(np.array([0]), results, ["a", "b"])
        with pytest.raises(ValueError, match="points"):
            foretell_by_points(played, create("elo"), period_days=7.0, least_games=1)
