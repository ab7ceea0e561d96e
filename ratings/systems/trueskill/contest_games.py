"""Contests of teams: who stands where, and what their rankings tell."""

from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.changes import Sides
from ratings.systems.contest_waves import stretches
from ratings.systems.contests import Contests
from ratings.systems.trueskill.chain import settle_chain
from ratings.systems.trueskill.parameters import TrueSkillParameters
from ratings.systems.trueskill.partial_play import Parts, parts_of
from ratings.systems.trueskill.prediction import expect_teams, margin_per_root
from ratings.systems.trueskill.two_teams import StepAndDrop, settle_two

__all__ = ["ContestGames"]

T = TypeVar("T", np.bool_, np.int64, np.float64)

# A team nobody of which took part has no performance; this share of β² stands for its variance.
_NOBODY = 1e-12


class ContestGames:
    """Contests of teams."""

    def __init__(self, parameters: TrueSkillParameters, contests: Contests) -> None:
        self.starts = contests.starts
        self.players = contests.player
        self.unit = margin_per_root(parameters)
        self.noise = parameters.beta * parameters.beta
        is_head = np.ones(len(contests.team), dtype=np.bool_)
        is_head[1:] = np.diff(contests.team) != 0
        is_head[self.starts[:-1]] = True
        heads = np.flatnonzero(is_head)
        self.team_sizes = np.diff(heads, append=len(is_head))
        self.team_rank = contests.rank[heads]
        self.heads = heads
        self.first_team = np.searchsorted(heads, self.starts)
        self.teams = np.diff(self.first_team)
        # Teams and members a team, where all contests are of one kind: then rows need no looking up.
        is_even = len(heads) and np.ptp(self.teams) == 0 and np.ptp(self.team_sizes) == 0
        self.kind = (int(self.teams[0]), int(self.team_sizes[0])) if is_even else None
        # What two teams reached, and their margin; of contests of more teams it means nothing.
        first, second = self.first_team[:-1], self.first_team[:-1] + 1
        self.outcome = np.sign(self.team_rank[second] - self.team_rank[first]).astype(np.float64)
        self.margin = self.unit * np.sqrt(self.team_sizes[first] + self.team_sizes[second])
        is_whole = bool((contests.weight == 1).all())
        self.parts = None if is_whole else parts_of(contests.weight, self.team_sizes, self.teams)

    def count(self, n: int) -> Ints:
        return np.bincount(self.players, minlength=n)

    def pick(self, games: Ints) -> Sequence["PickedContests"]:
        if not games.size:
            return []
        if self.kind is not None:
            return [PickedContests(self, games)]
        teams = self.teams.take(games)
        if teams.min() == teams.max():
            return [PickedContests(self, games)]
        return [PickedContests(self, games[teams == k]) for k in np.unique(teams)]

    def sides(self) -> Sides:
        actual, opponent = np.empty(len(self.players)), np.empty(len(self.players), dtype=np.int64)
        for picked in self.pick(np.arange(len(self.teams))):
            # The mean over the other teams of 1, ½, 0.
            rank, k = picked.rank, picked.rank.shape[1]
            reached = np.empty(rank.shape)
            for team in range(k):
                own = rank[:, team : team + 1]
                points = (own < rank).sum(axis=1) + (own == rank).sum(axis=1) / 2
                reached[:, team] = (points - 0.5) / (k - 1)
            actual[picked.rows] = picked.spread(reached)
            opponent[picked.rows] = picked.spread(picked.only_opponent())
        contest = np.repeat(np.arange(len(self.teams)), np.diff(self.starts))
        return Sides(contest, self.players, opponent, actual)


class PickedContests:
    """Some contests of k teams each: rows in a line, contest by contest.

    sizes, rank  int64, shape (w, k), of each team
    """

    def __init__(self, source: ContestGames, games: Ints) -> None:
        self.source, self.games = source, games
        if source.kind is None:
            self.players = source.players.take(self.rows)
            teams = source.first_team.take(games)[:, None] + np.arange(source.teams[games[0]])
            self.sizes = source.team_sizes.take(teams)
            self.rank = source.team_rank.take(teams)
            self.heads = np.cumsum(self.sizes) - self.sizes.ravel()
            self.members: Ints | int = self.sizes.ravel()
        else:
            k, self.members = source.kind
            self.players = source.players.reshape(-1, k * self.members).take(games, axis=0).ravel()
            self.sizes = source.team_sizes[: k * games.size].reshape(-1, k)
            self.rank = source.team_rank.reshape(-1, k).take(games, axis=0)
            self.heads = source.heads[: k * games.size]
        parts = source.parts
        self.parts = None if parts is None else Parts(*(part.take(self.rows) for part in parts))

    @cached_property
    def rows(self) -> Ints:
        """Positions of the rows among those of all games."""
        first = self.source.starts.take(self.games)
        return stretches(first, self.source.starts.take(self.games + 1) - first)

    def settle(self, value: Floats, variance: Floats) -> StepAndDrop:
        mean, spread = self._perform(value, variance)
        if mean.shape[1] > 2:
            step, drop = _settle_many(self.rank, self.sizes, mean, spread, self.source.unit)
        else:
            outcome = self.source.outcome.take(self.games)
            margin = self.source.margin.take(self.games)
            ahead = mean[:, 0] - mean[:, 1]
            one, both = settle_two(ahead, spread[:, 0] + spread[:, 1], margin, outcome)
            step, drop = np.empty(mean.shape), np.empty(mean.shape)
            step[:, 0], drop[:, 0], drop[:, 1] = one, both, both
            np.negative(one, out=step[:, 1])
        if self.parts is None:
            return self.spread(step), self.spread(drop)
        stands, learned = self.parts
        return learned * self.spread(step), stands * learned * self.spread(drop)

    def expect(self, value: Floats, variance: Floats) -> tuple[Floats, Floats]:
        mean, spread = self._perform(value, variance)
        expected = expect_teams(mean, spread, self.sizes, self.source.unit)
        # Against a team that is like the mean of all teams.
        both = self.spread(np.sqrt(spread + spread.mean(axis=1)[:, None]))
        gain = variance / both
        return self.spread(expected), gain if self.parts is None else self.parts.learned * gain

    def faces(self, established: Bools) -> Bools:
        own = self.sum(established.astype(np.int64))
        return self.spread(own.sum(axis=1)[:, None] > own)

    def only_opponent(self) -> Ints:
        """The player whom a team meets, if it meets one only, else -1: shape (w, k)."""
        sums, many = self.sum(self.players), self.sizes.sum(axis=1)[:, None] - self.sizes
        opponent: Ints = np.where(many == 1, sums.sum(axis=1)[:, None] - sums, -1)
        return opponent

    def sum(self, figures: NDArray[T]) -> NDArray[T]:
        """Sums over the members of each team: shape (w, k)."""
        sums: NDArray[T] = np.add.reduceat(figures, self.heads).reshape(self.sizes.shape)
        return sums

    def spread(self, figures: NDArray[T]) -> NDArray[T]:
        """Each member's row gets the figure of the team."""
        return np.repeat(figures.ravel(), self.members)

    def _perform(self, value: Floats, variance: Floats) -> tuple[Floats, Floats]:
        """Mean and variance of the performance of each team."""
        variance = variance + self.source.noise
        if self.parts is None:
            return self.sum(value), self.sum(variance)
        stands = self.parts.stands
        value, variance = stands * value, stands * stands * variance
        return self.sum(value), np.maximum(self.sum(variance), _NOBODY * self.source.noise)


def _settle_many(
    rank: Ints, sizes: Ints, mean: Floats, variance: Floats, unit: float
) -> StepAndDrop:
    """(step, drop) of each of three teams or more: all arrays of shape (w, k)."""
    order = np.argsort(rank, axis=1, kind="stable")
    rank, sizes = (np.take_along_axis(column, order, axis=1).T for column in (rank, sizes))
    mean, variance = (np.take_along_axis(column, order, axis=1).T for column in (mean, variance))
    margin = unit * np.sqrt(sizes[:-1] + sizes[1:])
    moves = settle_chain(mean, variance, margin, rank[:-1] == rank[1:])
    step, drop = np.empty(order.shape), np.empty(order.shape)
    np.put_along_axis(step, order, moves[0].T, axis=1)
    np.put_along_axis(drop, order, moves[1].T, axis=1)
    return step, drop
