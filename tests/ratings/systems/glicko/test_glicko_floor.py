"""The floor that `bin/bench rating` measures beside Glicko and Glicko-2 computes what they compute."""

import numpy as np
import pytest

from benchmarks.engine.floor import CORES
from ratings.systems import Duels, create

PLAYERS, GAMES, PERIODS = 300, 4000, 4


@pytest.mark.parametrize("name", CORES)
def test_the_floor_gives_the_ratings_of_the_system(name: str) -> None:
    random = np.random.default_rng(3)
    first = random.integers(0, PLAYERS, (PERIODS, GAMES))
    second = (first + random.integers(1, PLAYERS, first.shape)) % PLAYERS
    score = random.integers(0, 3, first.shape) / 2
    system = create(name)
    ratings = system.initial(PLAYERS)
    for games in zip(first, second, score, strict=True):
        ratings = system.rate(system.age(ratings, 1.0), Duels(*games))
    periods = [
        (np.concatenate(games), scores) for *games, scores in zip(first, second, score, strict=True)
    ]
    np.testing.assert_allclose(CORES[name](periods, PLAYERS), ratings.value, rtol=1e-12)
