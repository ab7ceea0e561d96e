"""ZoneStats contest by contest and pair by pair, written as the rules read."""

import math
from dataclasses import dataclass

from ratings.systems import Contests, Ratings

__all__ = ["Row", "play_all", "rate_one"]


@dataclass(frozen=True)
class Row:
    rating: float
    team: int
    score: float
    minutes: float


def rate_one(
    rows: list[Row], *, spread: float = 120, game_mult: float = 2, longest: float = 20
) -> list[float]:
    """The points that each row wins or loses."""
    offsets = []
    for me in rows:
        points = 0.0
        for opponent in rows:
            if opponent.team == me.team or min(me.minutes, opponent.minutes) == 0:
                continue
            chance = 1 / (1 + math.exp((opponent.rating - me.rating) / spread))
            mine, theirs = me.score * opponent.minutes, opponent.score * me.minutes
            reached = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
            time = min(longest, me.minutes, opponent.minutes)
            points += (reached - chance) * game_mult * time
        offsets.append(points)
    largest = max(offsets, key=abs)
    if largest == 0:
        return offsets
    limit = rows[offsets.index(largest)].minutes * game_mult
    return [points * min(1.0, limit / abs(largest)) for points in offsets]


def play_all(before: Ratings, contests: Contests) -> list[float]:
    """The ratings after all contests in their order."""
    assert contests.score is not None
    assert contests.minutes is not None
    values: list[float] = before.value.tolist()
    for low, high in zip(contests.starts[:-1], contests.starts[1:], strict=True):
        who = contests.player[low:high].tolist()
        columns = (contests.team, contests.score, contests.minutes)
        told = zip(*(column[low:high].tolist() for column in columns), strict=True)
        rows = [Row(values[player], *row) for player, row in zip(who, told, strict=True)]
        for player, points in zip(who, rate_one(rows), strict=True):
            values[player] = max(values[player] + points, 0.0)
    return values
