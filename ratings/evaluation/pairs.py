"""Contests seen as pairs of teams: how well the order of each pair was foreseen."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ratings.evaluation.prediction_metrics import accuracy
from ratings.systems import Contests
from ratings.systems.arrays import Floats, Ints

__all__ = ["Pairs", "pair_accuracy", "pairs_of"]


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
    """Take contests of any number of teams apart into contests of two teams."""
    new_team = np.diff(contests.team, prepend=-1) != 0
    new_team |= np.diff(contests.contest, prepend=-1) != 0
    start = np.flatnonzero(new_team)
    size = np.diff(np.append(start, len(contests.contest)))
    upper, lower = _two_of_each(np.bincount(contests.contest[start], minlength=len(contests)))
    sides = np.stack((upper, lower), axis=1).ravel()
    rows = _stretches(start[sides], size[sides])
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


def pair_accuracy(predicted: ArrayLike, actual: ArrayLike) -> float | None:
    """Share of pairs of teams whose order was foreseen, ties left out; 0.5 is half right.

    `predicted` and `actual` are scores of the first team of each pair, 0..1. None without a pair.
    """
    return accuracy(predicted, actual)


def _two_of_each(teams: Ints) -> tuple[Ints, Ints]:
    """Positions of both teams of each pair, given how many teams stand in each contest."""
    of_group = np.repeat(teams, teams)
    place = np.arange(len(of_group)) - np.repeat(np.cumsum(teams) - teams, teams)
    after = of_group - place - 1
    upper = np.repeat(np.arange(len(of_group)), after)
    return upper, _stretches(np.arange(len(of_group)) + 1, after)


def _stretches(start: Ints, length: Ints) -> Ints:
    """The numbers start..start + length - 1 of each stretch, one after the other."""
    before = np.cumsum(length) - length
    numbers: Ints = np.arange(int(length.sum())) + np.repeat(start - before, length)
    return numbers
