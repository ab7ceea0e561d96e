"""Contests as pairs of teams: each two teams of a contest, as a contest of their own."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ratings.systems import Contests
from ratings.systems.arrays import Floats, Ints
from ratings.systems.contest_waves import stretches
from ratings.systems.team_pairs import ContestTeams

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
    teams = ContestTeams.of(contests)
    met = teams.pairs_between(0, len(teams))
    # Positions of both teams of each pair.
    sides = met.both.T.ravel()
    sizes = teams.sizes[sides]
    rows = stretches(teams.starts[sides], sizes)
    side = np.repeat(np.arange(len(sides)), sizes)
    taken: dict[str, Any] = {
        name: None if (column := getattr(contests, name)) is None else column[rows]
        for name in ("player", "rank", "weight", "score", "minutes")
    }
    return Pairs(
        contests=Contests(contest=side // 2, team=side % 2, **taken),
        contest=contests.contest[teams.starts[met.both[0]]],
        actual=met.score,
        rows=rows,
        heads=np.cumsum(sizes)[::2] - sizes[::2],
    )
