"""Contests with scores and minutes: free for all, and teams of any size."""

import numpy as np
from hypothesis import strategies as st

from ratings.systems import Contests

__all__ = ["contests"]

# Uneven figures, so that no two players' offsets are equal by chance.
MINUTES = st.one_of(st.just(0.0), st.integers(1, 90), st.floats(0.125, 90))


@st.composite
def contests(draw: st.DrawFn, players: int, *, most: int = 8) -> Contests:
    """Up to `most` contests among `players` players."""
    columns: list[list[float]] = [[], [], [], [], []]
    for contest in range(draw(st.integers(0, most))):
        who = draw(st.lists(st.integers(0, players - 1), min_size=2, max_size=players, unique=True))
        teams = _teams(draw, len(who))
        for player, team in zip(who, teams, strict=True):
            row = (contest, team, player, draw(st.integers(0, 40)), draw(MINUTES))
            for column, figure in zip(columns, row, strict=True):
                column.append(figure)
    whole = [np.array(column, dtype=np.int64) for column in columns[:3]]
    score, minutes = (np.array(column, dtype=np.float64) for column in columns[3:])
    weight = np.ones(len(score))
    return Contests(whole[0], whole[1], whole[2], 0 * whole[0], weight, score, minutes)


def _teams(draw: st.DrawFn, size: int) -> list[int]:
    """Teams of a contest, never falling; each alone as often as not."""
    if draw(st.booleans()):
        return list(range(size))
    steps = draw(st.lists(st.integers(0, 1), min_size=size - 1, max_size=size - 1))
    steps[draw(st.integers(0, size - 2))] = 1
    return [0, *np.cumsum(steps).tolist()]
