"""Contests as pairs of teams: each two teams of a contest, as a contest of their own."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ratings.systems import Contests
from ratings.systems.arrays import Floats, Ints
from ratings.systems.contest_waves import stretches

__all__ = ["Pairs", "pairs_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Each two teams of each contest, p pairs in all.

    contests  the pairs as contests of two teams, in the order of the contests they come from
    contest   int64, length p, the contest of each pair
    actual    float64, length p, the score of the first team against the second: 1, 0.5, 0
    rows      int64, for each row of `contests` the row it was in the contests they come from
    heads     int64, length p, the first row of each pair in `contests`
    """

    contests: Contests
    contest: Ints
    actual: Floats
    rows: Ints
    heads: Ints

    def __len__(self) -> int:
        return len(self.contest)


def pairs_of(contests: Contests) -> Pairs:
    """Split contests of any number of teams into contests of two teams."""
    new_team = np.diff(contests.team, prepend=-1) != 0
    new_team |= np.diff(contests.contest, prepend=-1) != 0
    start = np.flatnonzero(new_team)
    size = np.diff(np.append(start, len(contests.contest)))
    # Positions of both teams of each pair: each team with every one after it in its contest.
    teams = np.bincount(contests.contest[start], minlength=len(contests))
    every = np.arange(len(start))
    index = every - np.repeat(np.cumsum(teams) - teams, teams)
    after = np.repeat(teams, teams) - index - 1
    upper, lower = np.repeat(every, after), stretches(every + 1, after)
    sides = np.stack((upper, lower), axis=1).ravel()
    rows = stretches(start[sides], size[sides])
    rank = contests.rank[start]
    side = np.repeat(np.arange(len(sides)), size[sides])
    taken: dict[str, Any] = {
        name: None if (column := getattr(contests, name)) is None else column[rows]
        for name in ("player", "rank", "weight", "score", "minutes")
    }
    return Pairs(
        contests=Contests(contest=side // 2, team=side % 2, **taken),
        contest=contests.contest[start[upper]],
        actual=(np.sign(rank[lower] - rank[upper]) + 1) / 2,
        rows=rows,
        heads=np.cumsum(size[sides])[::2] - size[upper],
    )
