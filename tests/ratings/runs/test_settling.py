"""Games to settle and swing, by hand and against loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.evaluation.stability import WITHIN_POINTS, Course, Settling, Swing, settling, swing


def course(*rows: tuple[int, int, float, float]) -> Course:
    """Changes as (player, games, before, after)."""
    columns = np.array(rows, dtype=np.float64).reshape(-1, 4).T
    return Course(columns[0].astype(int), columns[1].astype(int), columns[2], columns[3])


RISER = (
    (7, 1, 1500.0, 1540.0),
    (7, 1, 1540.0, 1580.0),
    (7, 1, 1580.0, 1560.0),
    (7, 1, 1560.0, 1620.0),
)


def test_a_rating_has_settled_once_it_stays_within_fifty_points() -> None:
    # far from 1620: 1500, 1540, 1560; near: the last. So it took all four games.
    assert settling(course(*RISER)) == Settling(4.0, 1)
    # without the last game: 1540 and 1580 are within 50 of 1560, 1500 is not.
    assert settling(course(*RISER[:3])) == Settling(1.0, 1)


def test_a_rating_that_never_was_far_took_no_game() -> None:
    assert settling(course((1, 1, 1500.0, 1516.0), (1, 1, 1516.0, 1500.0))) == Settling(0.0, 1)


def test_the_last_deviation_of_a_player_says_what_is_near() -> None:
    wide, narrow = [10.0, 10.0, 10.0, 121.0], [500.0, 500.0, 500.0, 30.0]
    assert settling(course(*RISER), wide) == Settling(0.0, 1)
    assert settling(course(*RISER[:2]), [500.0, 39.0]) == Settling(2.0, 1)
    assert settling(course(*RISER), narrow) == Settling(4.0, 1)


def test_games_of_a_period_come_together() -> None:
    assert settling(course((3, 8, 1500.0, 1600.0), (3, 5, 1600.0, 1610.0))) == Settling(8.0, 1)


def test_it_is_the_median_of_those_who_played_enough() -> None:
    rows = [*RISER, (2, 1, 1500.0, 1600.0), (2, 1, 1600.0, 1610.0), (5, 1, 1500.0, 1400.0)]
    assert settling(course(*rows)) == Settling(1.0, 3)
    assert settling(course(*rows), at_least=2) == Settling(2.5, 2)
    assert settling(course(*rows), at_least=5) == Settling(None, 0)


def test_swing_is_the_mean_movement() -> None:
    rows = ((1, 1, 1400.0, 1410.0), (2, 3, 1600.0, 1594.0))
    assert swing(course(*rows)) == Swing(per_game=4.0, per_change=8.0, relative=0.04, players=2)
    assert swing(course(rows[0])) == Swing(10.0, 10.0, None, 1)


def test_without_anybody_there_is_no_figure() -> None:
    assert settling(course()) == Settling(None, 0)
    assert swing(course()) == Swing(None, None, None, 0)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (([1, 2], [1], [0.0, 0.0], [0.0, 0.0]), "equally long"),
        (([1], [0], [0.0], [0.0]), "1 game or more"),
        (([1], [1], [np.nan], [0.0]), "before holds NaN"),
        (([1], [1], [0.0], [np.inf]), "after holds NaN"),
    ],
)
def test_columns_that_make_no_sense_are_refused(columns: list[list[float]], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Course(*(np.array(column) for column in columns))


def test_deviations_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="deviation has shape"):
        settling(course(*RISER), [30.0])


def games_needed(rows: list[tuple[int, int, float, float]], margin: float) -> int:
    """The definition, read out loud: after which game did it never leave the margin again?"""
    final, needed, played = rows[-1][3], 0, 0
    near = abs(rows[0][2] - final) <= margin
    for _player, games, _before, after in rows:
        played += games
        is_near = abs(after - final) <= margin
        if is_near and not near:
            needed = played
        near = is_near
    return needed


CHANGES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(1, 9), st.floats(-300.0, 300.0)), min_size=1
)


@given(CHANGES, st.integers(1, 12), st.booleans())
def test_it_agrees_with_a_loop(
    drawn: list[tuple[int, int, float]], at_least: int, has_deviation: bool
) -> None:
    now: dict[int, float] = {}
    rows = []
    for player, games, step in drawn:
        before = now.get(player, 1500.0)
        now[player] = before + step
        rows.append((player, games, before, now[player]))
    deviation = [abs(after) / 20 + 1 for *_, after in rows] if has_deviation else None
    expected = []
    for player in now:
        own = [row for row in rows if row[0] == player]
        margin = abs(own[-1][3]) / 20 + 1 if has_deviation else WITHIN_POINTS
        if sum(games for _, games, *_ in own) >= at_least:
            expected.append(games_needed(own, margin))
    found = settling(course(*rows), deviation, at_least=at_least)
    assert found.players == len(expected)
    assert found.median == (float(np.median(expected)) if expected else None)
