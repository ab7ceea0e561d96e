"""Contests of many teams as pairs of teams."""

import math

import numpy as np
import pytest

from ratings.evaluation import GamePredictions, accuracy, log_loss, pairs_of
from ratings.systems import Contests


def test_each_two_teams_make_a_pair() -> None:
    contest = np.array([0, 0, 0, 0, 1, 1])
    team = np.array([0, 1, 1, 2, 0, 1])
    player = np.array([4, 5, 6, 7, 8, 9])
    rank = np.array([1, 0, 0, 1, 2, 5])
    pairs = pairs_of(Contests(contest, team, player, rank))
    assert pairs.contest.tolist() == [0, 0, 0, 1]
    assert pairs.actual.tolist() == [0.0, 0.5, 1.0, 1.0]
    assert pairs.rows.tolist() == [0, 1, 2, 0, 3, 1, 2, 3, 4, 5]
    assert pairs.heads.tolist() == [0, 3, 5, 8]
    assert pairs.contests.player.tolist() == [4, 5, 6, 4, 7, 5, 6, 7, 8, 9]
    assert pairs.contests.team.tolist() == [0, 1, 1, 0, 1, 0, 0, 1, 0, 1]
    assert pairs.contests.contest.tolist() == [0, 0, 0, 1, 1, 2, 2, 2, 3, 3]


def test_ties_are_left_out_of_pair_accuracy() -> None:
    # Of three teams the first was thought strongest; it came second, after the last, level with nobody.
    predicted, actual = [0.7, 0.6, 0.4, 0.9], [1.0, 0.0, 0.0, 0.5]
    assert accuracy(predicted, actual) == pytest.approx(2 / 3)
    assert accuracy([0.7], [0.5]) is None
    wanted = -(math.log(0.7) + math.log(0.4) + math.log(0.6) + math.log(0.9 * 0.1) / 2) / 4
    assert log_loss(predicted, actual) == pytest.approx(wanted)


def test_pairs_are_cut_by_games() -> None:
    predicted = GamePredictions(
        np.array([0, 0, 0, 1, 2, 2, 2]),
        np.linspace(0.2, 0.8, 7),
        np.array([1.0, 0, 1, 0, 1, 0, 0.5]),
        games=3,
        in_pairs=True,
    )
    later = predicted.later(0.4)
    assert (later.games, len(later), later.game.tolist()) == (2, 4, [0, 1, 1, 1])
    assert later.report().games == 4
