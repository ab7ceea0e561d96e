"""TrueSkill in plain Python and as arrays: the same bits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import Duels, Ratings
from ratings.systems.trueskill import TrueSkillParameters
from ratings.systems.trueskill.games import DuelGames
from ratings.systems.trueskill.stream import Stream
from ratings.systems.trueskill.table import Table
from ratings.systems.trueskill.truncation import within, within_one, won, won_by_one
from ratings.systems.trueskill.two_teams import settle_one, settle_two
from tests.ratings.systems import strategies
from tests.ratings.systems.teams import skills

N = 8
# Near and far out, where wins and draws are computed in other ways.
T = st.floats(-8, 8) | st.floats(-1e3, 1e3)
MARGINS = st.just(0.0) | st.floats(1e-9, 10)


@given(st.lists(st.tuples(T, MARGINS), min_size=1, max_size=20))
def test_numbers_get_what_arrays_get(games: list[tuple[float, float]]) -> None:
    t, margin = (np.array(column) for column in zip(*games, strict=True))
    for of_arrays, of_one in ((won, won_by_one), (within, within_one)):
        wanted = [column.tolist() for column in of_arrays(t, margin)]
        got = [list(column) for column in zip(*(of_one(*game) for game in games), strict=True)]
        assert got == wanted


@given(
    ahead=st.floats(-500, 500),
    variance=st.floats(1e-3, 1e3),
    margin=st.floats(0, 50),
    outcome=st.sampled_from([-1.0, 0.0, 1.0]),
)
def test_one_game_is_settled_as_many_are(**game: float) -> None:
    wanted = settle_two(*(np.array([figure]) for figure in game.values()))
    assert settle_one(*game.values()) == (wanted[0][0], wanted[1][0])


def table_of(before: Ratings) -> Table:
    assert before.deviation is not None
    return Table(
        before.value.copy(), before.deviation.copy(), before.counted.copy(), before.games == 0
    )


@pytest.mark.parametrize("all_count", [False, True])
@given(before=skills(N), duels=strategies.duels(N))
def test_games_in_order_equal_waves_of_one(all_count: bool, before: Ratings, duels: Duels) -> None:
    parameters = TrueSkillParameters.build(
        {"established_after": 3, "provisional_deviation": 9, "deviation_min": 5.0}
    )
    games = DuelGames(parameters, duels)
    one, other = table_of(before), table_of(before)
    stream = Stream(parameters, one, games, all_count=all_count)
    stream.play_one_by_one(np.arange(len(duels)), games.pairs)
    waves = Stream(parameters, other, games, all_count=all_count)
    for game in range(len(duels)):
        waves.play_wave(np.array([game]), games.pairs[:, [game]])
    assert one.value.tolist() == other.value.tolist()
    assert one.deviation.tolist() == other.deviation.tolist()
    assert one.counted.tolist() == other.counted.tolist()
