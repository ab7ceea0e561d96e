"""Who plays: true strengths, habits, comings and goings. Pure."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from demo.formats import FORMATS
from demo.season.names import names

__all__ = ["LADDERS", "People", "gather"]

Floats = NDArray[np.float64]

LADDERS = len(FORMATS)
_TASTE = [1.6, 1.1, 0.5, 0.9, 0.8]  # one a ladder
_WITH_A_FRIEND = 0.6
_MEAN, _SPREAD = 1500.0, 240.0
# From the start; later on; gone before the end; arrived in the last days; signed up and never played.
_EARLY, _GONE, _FRESH, _WATCHING = 0.5, 0.14, 0.08, 0.02


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """n players; every array has length n. Times are fractions of the season, from 0 to 1.

    strength  true strength when fully learnt, in points of which 400 are ten to one
    lesson    points that a beginner still lacks; halved every 15 games or so
    activity  how often they play, 1 on average
    manners   0 (leaves, declines, disputes) to 1 (never)
    taste     (n, LADDERS) share of their matches on each ladder
    arrives   when they come; above 1: never in the season
    leaves    when they play no more; above 1: still there
    friend    the position of the player they form teams with; -1 for nobody in particular
    """

    name: list[str]
    strength: Floats
    lesson: Floats
    activity: Floats
    manners: Floats
    taste: Floats
    arrives: Floats
    leaves: Floats
    friend: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.name)


def gather(count: int, random: Generator) -> People:
    """`count` people, at least 4 of them there all the time."""
    name = [names(count)[index] for index in random.permutation(count)]
    strength = np.clip(random.normal(_MEAN, _SPREAD, count), 850.0, 2250.0)
    activity = random.lognormal(0.0, 0.6, count)
    taste = random.dirichlet(_TASTE, count)
    # Many arrive at the start, then a steady stream; and some give up.
    arrives = np.where(random.random(count) < _EARLY, 0.0, random.random(count) * 0.9)
    leaves = np.full(count, 2.0)
    gone = random.random(count) < _GONE
    leaves[gone] = arrives[gone] + (0.62 - arrives[gone]).clip(0.05) * random.random(gone.sum())
    fresh = ~gone & (random.random(count) < _FRESH)
    arrives[fresh] = random.uniform(0.93, 0.995, fresh.sum())
    arrives[~gone & (random.random(count) < _WATCHING)] = 2.0
    arrives[:4], leaves[:4] = 0.0, 2.0
    lesson, manners = random.gamma(2.0, 60.0, count), random.beta(8.0, 1.2, count)
    # Two and two are friends; the rest has none in the game.
    friend = np.full(count, -1, dtype=np.int64)
    paired = random.permutation(count)[: 2 * int(count * _WITH_A_FRIEND / 2)].reshape(-1, 2)
    friend[paired] = paired[:, ::-1]
    return People(
        name=name,
        strength=strength,
        lesson=lesson,
        activity=activity / activity.mean(),
        manners=manners,
        taste=taste,
        arrives=arrives,
        leaves=leaves,
        friend=friend,
    )
