"""Hypothesis strategies for ratings and games."""

import numpy as np
from hypothesis import strategies as st

from ratings.systems import Duels, Ratings

__all__ = ["POINTS", "SCORES", "duels", "elo_parameters", "ratings"]

POINTS = st.floats(0, 3500)
# So high that no game of a test brings anybody to the floor.
HIGH_UP = st.floats(100_000, 103_500)
SCORES = st.sampled_from([0.0, 0.5, 1.0])


@st.composite
def duels(draw: st.DrawFn, players: int, *, max_games: int = 40) -> Duels:
    """Games among `players` players, nobody against the same player."""
    size = draw(st.integers(0, max_games))
    first = draw(st.lists(st.integers(0, players - 1), min_size=size, max_size=size))
    step = draw(st.lists(st.integers(1, players - 1), min_size=size, max_size=size))
    score = draw(st.lists(SCORES, min_size=size, max_size=size))
    opponents = [(a + b) % players for a, b in zip(first, step, strict=True)]
    return Duels(
        np.array(first, dtype=np.int64), np.array(opponents, dtype=np.int64), np.array(score)
    )


@st.composite
def ratings(
    draw: st.DrawFn, players: int, *, with_deviation: bool = False, high_up: bool = False
) -> Ratings:
    """Players of every status, with ratings from 0 to 3500, or `high_up` above every floor."""

    def column(numbers: st.SearchStrategy[float]) -> np.ndarray:
        return np.array(draw(st.lists(numbers, min_size=players, max_size=players)))

    games = column(st.integers(0, 40)).astype(np.int64)
    counted = np.minimum(games, column(st.integers(0, 40)).astype(np.int64))
    deviation = column(st.floats(30, 350)) if with_deviation else None
    points = HIGH_UP if high_up else POINTS
    return Ratings(column(points), deviation, None, games, counted)


def elo_parameters() -> st.SearchStrategy[dict[str, object]]:
    """K policies of every kind, with statuses that change within a few games."""
    return st.fixed_dictionaries(
        {
            "k_new": st.floats(0, 60),
            "k_provisional": st.floats(0, 60),
            "k_established": st.floats(0, 60),
            "halve_against_provisional": st.booleans(),
            "established_after": st.integers(1, 12),
            "k_by_rating": st.sampled_from(["none", "step", "edges"]),
            "step_lower": st.floats(1000, 1500),
            "step_upper": st.floats(1501, 2000),
        }
    )
