"""Contests of teams: what is taken, what is refused, and parts of them."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import Contests, Duels
from tests.ratings.systems.teams import Fixture, as_contests, fixtures

# A pair beats two singles that tie; then one against one.
GIVEN: dict[str, list[Any]] = {
    "contest": [0, 0, 0, 0, 1, 1],
    "team": [0, 0, 1, 2, 0, 1],
    "player": [3, 1, 2, 0, 0, 3],
    "rank": [0, 0, 1, 1, 1, 0],
    "weight": [1, 0.5, 1, 1, 1, 1],
}


def build(**changed: Any) -> Contests:
    return Contests(**{name: np.array(row) for name, row in (GIVEN | changed).items()})


class TestTaken:
    def test_lists_and_arrays_of_other_types(self) -> None:
        given: dict[str, Any] = {name: np.array(row, np.int16) for name, row in GIVEN.items()}
        contests = Contests(**given)
        assert contests.player.dtype == np.int64
        assert contests.weight.dtype == np.float64
        assert len(contests) == 2
        assert contests.starts.tolist() == [0, 4, 6]

    def test_everybody_took_part_unless_said(self) -> None:
        given: dict[str, Any] = {name: np.array(row) for name, row in GIVEN.items()}
        del given["weight"]
        assert Contests(**given).weight.tolist() == [1] * 6

    def test_none_at_all(self) -> None:
        nothing = Contests(*([np.array([])] * 4))
        assert len(nothing) == 0
        assert nothing.starts.tolist() == [0]
        nothing.check_players(0)

    def test_scores_below_nothing(self) -> None:
        contests = build(score=[-1, 2, 3, 4, 5, 6], minutes=[0, 1, 2, 3, 4, 5])
        assert contests.score is not None
        assert contests.score[0] == -1

    def test_positions_of_any_size(self) -> None:
        far = [2**62, 1, 2, 0, 0, 2**62]
        assert build(player=far).player.tolist() == far
        with pytest.raises(ValueError, match=f"contest 1: player {2**62} takes part twice"):
            build(player=[2**62, 1, 2, 0, 2**62, 2**62])


class TestRefused:
    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"player": [3, 1, 2, 3, 0, 3]}, "contest 0: player 3 takes part twice"),
            ({"player": [3, 1, 2, 0, 3, 3]}, "contest 1: player 3 takes part twice"),
            ({"player": [3, -1, 2, 0, 0, 3]}, "player holds -1: must not be negative"),
            ({"player": [3, 1.5, 2, 0, 0, 3]}, "player is of type float64"),
            ({"player": [[3, 1, 2, 0, 0, 3]]}, r"player is of type int64, shape \(1, 6\)"),
            ({"rank": [0, 1, 1, 1, 1, 0]}, "contest 0: team 0 has two ranks"),
            ({"rank": [0, 0, 1, 1, 1]}, r"rank has shape \(5,\): must be \(6,\)"),
            ({"team": [0, 0, 2, 1, 0, 1]}, "contest 0: its teams must be numbered"),
            ({"team": [0, 1, 0, 1, 0, 1]}, "contest 0: its teams must be numbered"),
            ({"team": [1, 1, 2, 3, 0, 1]}, "contest 0: its teams must be numbered"),
            ({"team": [0, 0, 1, 2, 1, 1]}, "contest 1: its teams must be numbered"),
            ({"team": [0, 0, 1, 2, 0, 0]}, "contest 1: must have two teams or more"),
            ({"contest": [0, 0, 0, 0, 2, 2]}, "row 4: contest 2 must follow"),
            ({"contest": [1, 1, 1, 1, 0, 0]}, "row 0: contest 1 must follow"),
            ({"contest": [0, 0, 0, 0, 1, 0]}, "row 5: contest 0 must follow"),
            ({"weight": [1, 1.5, 1, 1, 1, 1]}, r"contest 0: weight 1\.5 must be from 0 to 1"),
            ({"weight": [1, 1, 1, 1, 1, -0.5]}, r"contest 1: weight -0\.5 must be from 0 to 1"),
            ({"weight": [1, math.nan, 1, 1, 1, 1]}, "weight has shape .* and finite"),
            ({"weight": [1.0]}, r"weight has shape \(1,\)"),
            ({"minutes": [1, 1, 1, 1, 1, -2]}, r"contest 1: minutes -2\.0 must not be negative"),
            ({"minutes": [1, 1, 1, 1, 1, math.inf]}, "minutes has shape .* and finite"),
            ({"score": [1, 1, 1, 1, 1, math.nan]}, "score has shape .* and finite"),
        ],
    )
    def test_says_what_is_wrong(self, changed: dict[str, Any], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            build(**changed)

    def test_players_who_are_not_rated(self) -> None:
        build().check_players(4)
        with pytest.raises(ValueError, match="names player 3: must be below 3"):
            build().check_players(3)


class TestParts:
    def test_of_the_second_contest(self) -> None:
        part = build(score=[1, 2, 3, 4, 5, 6]).part(1, 2)
        assert part.contest.tolist() == [0, 0]
        assert part.player.tolist() == [0, 3]
        assert part.rank.tolist() == [1, 0]
        assert part.minutes is None
        assert part.score is not None
        assert part.score.tolist() == [5, 6]

    @given(st.lists(fixtures(6), max_size=8), st.integers(0, 8))
    def test_two_parts_are_the_whole(self, games: list[Fixture], cut: int) -> None:
        contests = as_contests(games)
        cut = min(cut, len(contests))
        parts = contests.part(0, cut), contests.part(cut, len(contests))
        assert [len(part) for part in parts] == [cut, len(games) - cut]
        for name in ("team", "player", "rank", "weight"):
            joined = np.concatenate([getattr(part, name) for part in parts])
            assert joined.tolist() == getattr(contests, name).tolist()


class TestOfDuels:
    def test_won_drawn_and_lost(self) -> None:
        duels = Duels(np.array([0, 1, 2]), np.array([1, 2, 0]), np.array([1.0, 0.5, 0.0]))
        contests = Contests.of_duels(duels)
        assert contests.player.tolist() == [0, 1, 1, 2, 2, 0]
        assert contests.rank.tolist() == [0, 1, 0, 0, 1, 0]
        assert contests.team.tolist() == [0, 1] * 3
        assert contests.score is None

    def test_points_become_scores(self) -> None:
        duels = Duels(np.array([0]), np.array([1]), np.array([1.0]), None, np.array([[10.0, 8.0]]))
        contests = Contests.of_duels(duels)
        assert contests.score is not None
        assert contests.score.tolist() == [10, 8]
