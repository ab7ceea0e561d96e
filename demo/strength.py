"""How matches end between players of known true strength. Pure."""

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["draw_chance", "expected", "ranks", "ranks_of_teams", "score", "together"]

_MOST_DRAWS = 0.12
_DRAW_RANGE = 300.0  # points
_SCALE = 400.0 / math.log(10.0)
_CLOSE = 6.0  # points: who finish so close share a place

Chance = TypeVar("Chance", float, NDArray[np.float64])


def expected(difference: Chance) -> Chance:
    """Expected score of the one who is `difference` points stronger: 400 points are ten to one."""
    score: Chance = 1.0 / (1.0 + 10.0 ** (-difference / 400.0))
    return score


def draw_chance(difference: Chance) -> Chance:
    """Chance of a draw: highest between equals."""
    chance: Chance = _MOST_DRAWS * 2.0 ** (-((difference / _DRAW_RANGE) ** 2))
    return chance


def score(difference: float, luck: float) -> float:
    """Return 1, 0.5 or 0 for the stronger by `difference`, from `luck` evenly between 0 and 1."""
    drawn = draw_chance(difference)
    won = max(0.0, expected(difference) - drawn / 2)
    if luck < won:
        return 1.0
    return 0.5 if luck < won + drawn else 0.0


def together(strengths: Sequence[float]) -> float:
    """Strength of a team: the more they are, the less the luck of each counts."""
    return sum(strengths) / math.sqrt(len(strengths))


def ranks(strengths: Sequence[float], luck: Sequence[float]) -> tuple[int, ...]:
    """Ranks of teams that meet, 0 is best, from `luck` evenly between 0 and 1, one a team.

    Two teams end as `score` says. Of more, each is ahead of each other one as often as `expected` says: everybody has
    a good or bad day by Gumbel's distribution (Plackett 1975).
    """
    if len(strengths) == 2:
        won = score(strengths[0] - strengths[1], luck[0])
        return (int(won < 0.5), int(won > 0.5))
    inside = [min(max(one, 1e-12), 1.0 - 1e-12) for one in luck]  # 0 and 1 have no logarithms
    shown = [
        one - _SCALE * math.log(-math.log(u)) for one, u in zip(strengths, inside, strict=True)
    ]
    return tuple(sum(other > own + _CLOSE for other in shown) for own in shown)


def ranks_of_teams(
    teams: Sequence[Sequence[float]], luck: Sequence[float], *, side: float
) -> tuple[int, ...]:
    """Ranks of teams of such players, 0 is best; the first team's side is worth `side` points to each of them."""
    first, *others = teams
    sided = [[one + side for one in first], *others]
    return ranks([together(team) for team in sided], luck)
