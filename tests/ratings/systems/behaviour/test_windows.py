"""Means over the last matches of each player."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.behaviour import WINDOWS, means_of_last, window_for

FIGURE = st.one_of(st.just(np.nan), st.floats(-100, 100))


@given(
    st.lists(st.tuples(st.integers(0, 3), FIGURE, FIGURE), max_size=30), st.sampled_from(WINDOWS)
)
def test_are_what_each_player_did_last(rows: list[tuple[int, float, float]], matches: int) -> None:
    player = np.array([row[0] for row in rows], dtype=np.int64)
    values = np.array([row[1:] for row in rows], dtype=np.float64).reshape(-1, 2)
    means, number = means_of_last(player, values, players=4, matches=matches)
    for one in range(4):
        own = [row[1:] for row in rows if row[0] == one][-matches:]
        assert number[one] == len(own)
        for column in range(2):
            told = [row[column] for row in own if not np.isnan(row[column])]
            expected = np.mean(told) if told else np.nan
            np.testing.assert_allclose(means[one, column], expected, atol=1e-9)


def test_an_estimate_rests_on_as_many_matches_as_a_model_was_learned_for() -> None:
    assert [window_for(matches) for matches in (0, 1, 2, 3, 9, 10, 500)] == [
        None, 1, 1, 3, 3, 10, 10,
    ]  # fmt: skip
