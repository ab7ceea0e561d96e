"""Contests by their teams, and each team of a contest against every other one of it.

What systems of one against one compute of two players, they compute here of two teams: of n teams each plays n - 1
games, and each of these weighs 1/(n - 1), so that a contest is one game whatever its size.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.changes import Sides
from ratings.systems.contest_waves import stretches
from ratings.systems.contests import Contests

__all__ = ["ContestTeams", "TeamPairs"]

N = TypeVar("N", np.int64, np.float64)
T = TypeVar("T", np.bool_, np.int64, np.float64)
# Of the first team of each pair, and of the second: two of length p, or one of shape (2, p).
PairFigures: TypeAlias = tuple[Floats, Floats] | Floats

_PER_PIECE = 1 << 18  # pairs: bounds the memory; changes no figure


@dataclass(frozen=True, slots=True, eq=False)
class TeamPairs:
    """p pairs of teams that met: each two teams of some contests.

    low, high  the teams from and up to which these are all pairs
    both       int64, shape (2, p): positions of the first team of each pair, and of the second, counted from `low`
    score      float64, length p, of the first team: 1, 0.5, 0
    """

    low: int
    high: int
    both: Ints
    score: Floats

    def of_teams(self, figures: NDArray[T]) -> NDArray[T]:
        """(t) to (2, p): the figures of both teams of each pair."""
        return figures[self.low : self.high].take(self.both)

    def ahead(self, figures: Floats) -> Floats:
        """How far the first team of each pair is ahead of the second one; `figures` of length t."""
        both = self.of_teams(figures)
        with np.errstate(over="ignore"):  # an infinite difference is sure to win
            ahead: Floats = both[0] - both[1]
        return ahead

    def total(self, figures: PairFigures) -> Floats:
        """Sum up by team, from `low` to `high`, in the order of the pairs of its contest alone."""
        weights = figures.ravel() if isinstance(figures, np.ndarray) else np.concatenate(figures)
        teams = self.high - self.low
        return np.bincount(self.both.ravel(), weights, teams).astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class ContestTeams:
    """m contests of t teams, r rows in all; a row is one player in one contest.

    starts      int64, length t + 1: the first row of each team, and r
    sizes       int64, length t: the members of each team
    of_row      int64, length r: the team of each row
    player      int64, length r: positions in the `Ratings`
    rank        int64, length t: 0 is best, equal ranks are a tie
    first_team  int64, length m + 1: the first team of each contest, and t
    others      int64, length t: how many teams a team meets, 1 or more
    """

    starts: Ints
    sizes: Ints
    of_row: Ints
    player: Ints
    rank: Ints
    first_team: Ints
    others: Ints

    @classmethod
    def of(cls, contests: Contests) -> Self:
        """The teams of contests, in their order."""
        is_head = np.diff(contests.contest, prepend=-1) != 0
        is_head |= np.diff(contests.team, prepend=-1) != 0
        heads = np.flatnonzero(is_head)
        counts = np.bincount(contests.contest[heads], minlength=len(contests))
        sizes = np.diff(heads, append=len(is_head))
        return cls._of_sizes(sizes, counts, contests.player, contests.rank[heads])

    @classmethod
    def _of_sizes(cls, sizes: Ints, counts: Ints, player: Ints, rank: Ints) -> Self:
        of_row = np.repeat(np.arange(len(sizes)), sizes)
        others = np.repeat(counts - 1, counts)
        return cls(_bounds(sizes), sizes, of_row, player, rank, _bounds(counts), others)

    def __len__(self) -> int:
        """How many contests there are."""
        return len(self.first_team) - 1

    @property
    def counts(self) -> Ints:
        """int64, length m: the teams of each contest."""
        return np.diff(self.first_team)

    def take(self, contests: Ints) -> tuple["ContestTeams", Ints]:
        """Some contests, in the order given, and the positions of all their rows."""
        counts = self.counts.take(contests)
        teams = stretches(self.first_team.take(contests), counts)
        sizes = self.sizes.take(teams)
        rows = stretches(self.starts.take(teams), sizes)
        return self._of_sizes(sizes, counts, self.player.take(rows), self.rank.take(teams)), rows

    def pairs(self) -> Iterator[TeamPairs]:
        """All pairs of teams, the earlier team of the two first; some contests after the other."""
        counts = self.counts
        ends = np.cumsum(counts * (counts - 1) // 2)
        low, m = 0, len(self)
        while low < m:
            done = ends[low - 1] if low else 0
            high = max(int(np.searchsorted(ends, done + _PER_PIECE, side="right")), low + 1)
            yield self.pairs_between(low, high)
            low = high

    def pairs_between(self, low: int, high: int) -> TeamPairs:
        """The pairs of the contests from `low` up to, but without, `high`."""
        start, stop = int(self.first_team[low]), int(self.first_team[high])
        every = np.arange(stop - start)
        # How many teams of its contest stand after each.
        end = self.first_team[low + 1 : high + 1] - start
        after = np.repeat(end, self.counts[low:high]) - every - 1
        both = np.stack((np.repeat(every, after), stretches(every + 1, after)))
        first, second = self.rank[start:stop].take(both)
        return TeamPairs(start, stop, both, (np.sign(second - first) + 1) / 2)

    def mean_over_others(
        self, figures: Callable[[TeamPairs], Sequence[PairFigures]], many: int
    ) -> Floats:
        """(many, t): of so many figures of pairs the mean of each team over the teams it meets."""
        found = np.empty((many, len(self.sizes)))
        for pairs in self.pairs():
            found[:, pairs.low : pairs.high] = [pairs.total(figure) for figure in figures(pairs)]
        found /= self.others
        return found

    def mean(self, figures: Floats) -> Floats:
        """(r) to (t): the mean of the members of each team."""
        # Divided first: a sum of large figures may overflow, their mean does not.
        share = figures / self.sizes.take(self.of_row)
        return np.bincount(self.of_row, share, len(self.sizes)).astype(np.float64, copy=False)

    def variance_of_mean(self, variance: Floats) -> Floats:
        """(r) to (t): the variance of the mean of k members, each known with the variance given: Σ σ² / k²."""
        return self.mean(variance) / self.sizes

    def spread(self, figures: NDArray[T]) -> NDArray[T]:
        """(t) to (r): each member's row gets the figure of its team."""
        return figures.take(self.of_row)

    def opposing(self, figures: NDArray[N]) -> NDArray[N]:
        """(t) to (t): the sum over the other teams of the contest."""
        # As long as the figures are whole numbers the difference is exact.
        whole = np.add.reduceat(figures, self.first_team[:-1]) if len(self) else figures
        rest: NDArray[N] = np.repeat(whole, self.counts) - figures
        return rest

    def faces(self, established: Bools) -> Bools:
        """(r) to (r): whether an established player is on another team; `established` says who is."""
        if not established.any():
            return established
        members = np.bincount(self.of_row[established], minlength=len(self.sizes))
        return self.spread(self.opposing(members) > 0)

    def sides(self) -> Sides:
        """Every row, in order, with the score that its team reached: the mean over the others of 1, ½, 0."""
        (actual,) = self.mean_over_others(lambda pairs: [(pairs.score, 1.0 - pairs.score)], 1)
        game = np.repeat(np.arange(len(self)), np.diff(self.starts.take(self.first_team)))
        return Sides(game, self.player, self.only_opponent(), self.spread(actual))

    def only_opponent(self) -> Ints:
        """(r): the player whom a team meets, if it meets one only, else -1."""
        players = np.add.reduceat(self.player, self.starts[:-1]) if len(self) else self.player
        return self.spread(np.where(self.opposing(self.sizes) == 1, self.opposing(players), -1))


def _bounds(sizes: Ints) -> Ints:
    """Where each stretch begins, and where the last one ends."""
    return np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(sizes)))
