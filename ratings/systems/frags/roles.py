"""One overall rating from a rating for each role."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ratings.systems.frags.parameters import FragsParameters

__all__ = ["Overall", "deviation_of", "overall"]

_SLOPE = math.log(10) / 4  # of w at equal ratings, per `scale` points


@dataclass(frozen=True, slots=True)
class Overall:
    """A player over all roles.

    value      rating points, the mean of the roles' ratings weighted by the games in each
    deviation  rating points, one standard deviation: how far chance may have carried `value`
    spread     rating points: how far the roles lie from each other, weighted likewise
    games      games in all roles
    """

    value: float
    deviation: float
    spread: float
    games: int


def overall(parameters: FragsParameters, values: Sequence[float], games: Sequence[int]) -> Overall:
    """Of one player: the rating of each role, and the games (rated events) in it.

    Raises ValueError when lengths differ or there is no game.
    """
    total = sum(games)
    if len(values) != len(games) or total <= 0 or min(games) < 0:
        raise ValueError(f"games = {games!r}: must be one count for each role, some above 0")
    shares = [count / total for count in games]
    mean = sum(share * value for share, value in zip(shares, values, strict=True))
    errors = [share * deviation_of(parameters, n) for share, n in zip(shares, games, strict=True)]
    distances = [
        math.sqrt(share) * (value - mean) for share, value in zip(shares, values, strict=True)
    ]
    return Overall(mean, math.hypot(*errors), math.hypot(*distances), total)


def deviation_of(parameters: FragsParameters, games: int) -> float:
    """How far a rating may lie from the strength behind it after so many frags: rating points.

    Near an equal opponent a frag moves the rating by K (e - w) and pulls it back by the share
    a = K · ln 10 / (4 scale) of its error. What was unknown at first, `scale` points, shrinks by
    1 - a a frag; the chance of single frags, variance K²/4, adds up to K²/4 / (1 - (1 - a)²).
    """
    pull = min(parameters.k * _SLOPE / parameters.scale, 1.0)
    left = (1 - pull) ** (2 * games)
    chance = parameters.k**2 / 4 / (1 - (1 - pull) ** 2) if pull else 0.0
    return math.sqrt(parameters.scale**2 * left + chance * (1 - left))
