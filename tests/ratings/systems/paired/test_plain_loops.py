"""The loops that the benchmark of matches of many compares with: they rate as ours do, so the comparison is fair."""

from itertools import pairwise

import numpy as np
import pytest

from benchmarks.engine.games import PERIODS
from benchmarks.engine.plain import SYSTEMS, matches_of
from ratings.systems import Contests, create

PLAYERS, MATCHES, SIZE = 30, 400, 8


def drawn() -> dict[str, np.ndarray]:
    random = np.random.default_rng(5)
    players = np.stack([random.permutation(PLAYERS)[:SIZE] for _ in range(MATCHES)])
    return {
        "player": players.ravel(),
        "rank": random.integers(0, SIZE, (MATCHES, SIZE)).ravel(),
        "players_of_match": np.array(SIZE),
    }


@pytest.mark.parametrize("name", SYSTEMS)
def test_loops_rate_as_ours(name: str) -> None:
    games, system = drawn(), create(name)
    row = np.arange(MATCHES * SIZE)
    contests = Contests(row // SIZE, row % SIZE, games["player"], games["rank"])
    state = system.initial(PLAYERS)
    if system.is_period:
        bounds = [MATCHES * period // PERIODS for period in range(PERIODS + 1)]
        for start, stop in pairwise(bounds):
            state = system.rate(system.age(state, 1.0), contests.part(start, stop))
    else:
        # Nobody is established at first: matches count against those who are.
        state = system.rate(state, contests)
        assert (state.counted == 0).all()
    found = SYSTEMS[name](matches_of(games, MATCHES), PLAYERS)
    assert found == pytest.approx(state.value.tolist(), abs=1e-6)
