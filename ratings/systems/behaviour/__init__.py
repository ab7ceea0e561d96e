"""Behaviour-based skill: a rating foreseen from what players do in the game, by regression to established ratings.

Arrays in, arrays out. It is an estimate to be read, with its error; no rating system takes it in.
"""

from ratings.systems.behaviour.judge import FEWEST, GUESSES, Judgement, judge, rmse
from ratings.systems.behaviour.learn import KINDS, learn
from ratings.systems.behaviour.learned import (
    Boosted,
    BrokenModelError,
    Learned,
    Linear,
    from_json,
)
from ratings.systems.behaviour.windows import WINDOWS, means_of_last, window_for

__all__ = [
    "FEWEST",
    "GUESSES",
    "KINDS",
    "WINDOWS",
    "Boosted",
    "BrokenModelError",
    "Judgement",
    "Learned",
    "Linear",
    "from_json",
    "judge",
    "learn",
    "means_of_last",
    "rmse",
    "window_for",
]
