"""Contests by their teams, and each team against every other one."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from ratings.systems import Contests, team_pairs
from ratings.systems.team_pairs import ContestTeams
from tests.ratings.systems.paired.strategies_paired import contests

# 0: teams {4}, {5, 6}, {7} with ranks 1, 0, 1; 1: {8}, {9} with ranks 2, 5.
TWO = Contests(
    *(
        np.array(column)
        for column in (
            [0, 0, 0, 0, 1, 1],
            [0, 1, 1, 2, 0, 1],
            [4, 5, 6, 7, 8, 9],
            [1, 0, 0, 1, 2, 5],
        )
    )
)


def test_each_two_teams_make_a_pair() -> None:
    teams = ContestTeams.of(TWO)
    (pairs,) = teams.pairs()
    assert pairs.both.tolist() == [[0, 0, 1, 3], [1, 2, 2, 4]]
    assert pairs.score.tolist() == [0.0, 0.5, 1.0, 1.0]
    assert teams.others.tolist() == [2, 2, 2, 1, 1]
    assert teams.sides().actual.tolist() == [0.25, 1.0, 1.0, 0.25, 1.0, 0.0]
    assert teams.only_opponent().tolist() == [-1, -1, -1, -1, 9, 8]


def test_figures_of_teams_and_members() -> None:
    teams = ContestTeams.of(TWO)
    assert teams.mean(np.array([1.0, 2, 4, 8, 16, 32])).tolist() == [1, 3, 8, 16, 32]
    assert teams.variance_of_mean(np.array([1.0, 2, 4, 8, 16, 32])).tolist() == [1, 1.5, 8, 16, 32]
    assert teams.spread(np.arange(5)).tolist() == [0, 1, 1, 2, 3, 4]
    assert teams.opposing(np.arange(5)).tolist() == [3, 2, 1, 4, 3]
    faced = teams.faces(np.array([False, True, False, False, False, True]))
    assert faced.tolist() == [True, False, False, True, True, False]


def test_some_contests_are_as_those_alone() -> None:
    teams, rows = ContestTeams.of(TWO).take(np.array([1, 0]))
    assert rows.tolist() == [4, 5, 0, 1, 2, 3]
    assert teams.player.tolist() == [8, 9, 4, 5, 6, 7]
    assert teams.sides().actual.tolist() == [1.0, 0.0, 0.25, 1.0, 1.0, 0.25]


@pytest.mark.parametrize("pairs_at_once", [1, 3, 1 << 18])
@given(games=contests(9))
def test_pieces_change_no_figure(pairs_at_once: int, games: Contests) -> None:
    teams = ContestTeams.of(games)
    value = np.linspace(0.1, 0.9, len(games.player)) ** 3
    mean = teams.mean(value)

    def surprise() -> list[float]:
        found: list[list[float]] = teams.mean_over_others(
            lambda pairs: [pairs.of_teams(mean) / np.array([[1.0], [3.0]])], 1
        ).tolist()
        return found[0]

    wanted = surprise()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(team_pairs, "_PER_PIECE", pairs_at_once)
        assert surprise() == wanted
        spans = [(pairs.low, pairs.high) for pairs in teams.pairs()]
    assert spans[0][0] == 0
    assert spans[-1][1] == len(teams.sizes)
    assert all(one[1] == other[0] for one, other in pairwise(spans))
