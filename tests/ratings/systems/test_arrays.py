"""Ratings and games are checked when they are made."""

import math

import numpy as np
import pytest

from ratings.systems import Duels, Ratings, create


class TestDuels:
    def test_lists_become_arrays(self) -> None:
        duels = Duels([0, 1], [1, 0], [1, 0.5])  # type: ignore[arg-type]
        assert duels.first.dtype == duels.second.dtype == np.int64
        assert duels.score.dtype == np.float64
        assert len(duels) == 2

    def test_there_may_be_none(self) -> None:
        nobody = Duels([], [], [])  # type: ignore[arg-type]
        for name in ("elo", "glicko"):
            system = create(name)
            for n in (0, 3):
                after, changes = system.rate_explained(system.initial(n), nobody)
                assert len(after) == n
                assert len(changes) == 0
                after, changes = system.rate_event_explained(system.initial(n), nobody)
                assert len(changes) == 0

    @pytest.mark.parametrize(
        ("first", "second", "score", "message"),
        [
            ([0], [1, 2], [1.0], "equally long"),
            ([0], [1], [1.0, 0.0], "equally long"),
            ([[0]], [[1]], [[1.0]], "one-dimensional"),
            ([0, 2], [1, 2], [1.0, 1.0], "game 1: player 2 cannot meet themselves"),
            ([-1], [1], [1.0], "first holds -1"),
            ([0], [-3], [1.0], "second holds -3"),
            ([0.0], [1], [1.0], "first is of type float64"),
            ([0], [1], [1.5], "game 0: score 1.5"),
            ([0, 1], [1, 0], [0.5, math.nan], "game 1: score nan"),
        ],
    )
    def test_impossible_games_are_refused(
        self, first: object, second: object, score: object, message: str
    ) -> None:
        with pytest.raises(ValueError, match=message):
            Duels(first, second, score)  # type: ignore[arg-type]


class TestRatings:
    def test_take_and_copy_are_arrays_of_their_own(self) -> None:
        before = create("glicko").initial(3)
        some, everybody = before.take([2, 0]), before.copy()
        some.value[0] = everybody.value[0] = 0
        assert some.deviation is not None
        assert everybody.deviation is not None
        some.deviation[0] = everybody.deviation[0] = 0
        assert before.value.tolist() == [1500] * 3
        assert before.deviation is not None
        assert before.deviation.tolist() == [350] * 3
        assert len(some) == 2

    def test_take_follows_the_order_given(self) -> None:
        before = Ratings([1.0, 2.0, 3.0], None, None, [1, 2, 3], [0, 1, 2])  # type: ignore[arg-type]
        some = before.take([2, 0])
        assert some.value.tolist() == [3, 1]
        assert some.games.tolist() == [3, 1]
        assert some.counted.tolist() == [2, 0]

    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            (([1500.0], [50.0, 60.0], None, [0], [0]), r"deviation has shape \(2,\)"),
            (([1500.0], None, None, [0, 0], [0]), r"games has shape \(2,\)"),
            (([1500.0, math.nan], None, None, [0, 0], [0, 0]), "value holds NaN"),
            (([1500.0], [math.inf], None, [0], [0]), "deviation holds NaN or infinity"),
        ],
    )
    def test_impossible_ratings_are_refused(
        self, columns: tuple[object, ...], message: str
    ) -> None:
        with pytest.raises(ValueError, match=message):
            Ratings(*columns)  # type: ignore[arg-type]
