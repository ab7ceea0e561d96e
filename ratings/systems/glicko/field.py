"""Who played in a period, and whom: games of one against one, and contests of teams, seen alike."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.base import Results
from ratings.systems.changes import Changes, Sides
from ratings.systems.contests import Contests
from ratings.systems.glicko.period import Evidence, attenuation, steepness, weigh_pairs
from ratings.systems.logistic import logistic
from ratings.systems.results import Duels
from ratings.systems.team_pairs import ContestTeams, PairFigures, TeamPairs

__all__ = ["Field", "Told", "expect_teams", "field_of"]

# A surprise smaller than this is too small to divide by.
_NO_SURPRISE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What the games say of each of n players, and where it is asked for, of each row of the field.

    expected  float64, the score that was expected
    slope     float64, the steepness against whom they met; of several teams the mean
    surprise  float64, Σ q g(w - E) of the row alone
    """

    evidence: Evidence
    expected: Floats | None = None
    slope: Floats | None = None
    surprise: Floats | None = None


class Field(ABC):
    """The games of a period. What stands by row has the shape of `players`.

    players  int64: positions of those who played, among the n
    played   int64, length n: how many games each of all players played
    actual   float64: the score of each row
    """

    players: Ints
    played: Ints

    @cached_property
    @abstractmethod
    def actual(self) -> Floats: ...

    @abstractmethod
    def weigh(self, value: Floats, variance: Floats, *, side: float, by_row: bool) -> Told:
        """Sum up what the games say, from the ratings and RD² of the n players before.

        `side`: rating points that the better side is worth, where it is known who played it.
        """

    @abstractmethod
    def sum(self, rows: NDArray[Any]) -> Floats:
        """Add up what stands in the rows of each of the n players, in an order of the field's own."""

    @abstractmethod
    def count_against(self, is_opponent: Bools) -> Ints:
        """How many games each of the n players played against somebody for whom this is True."""

    @abstractmethod
    def explain(self, told: Told, variance: Floats, value: Floats, after: Floats) -> Changes:
        """Why ratings went from `value` to `after`, both of the n players; RD'² is `variance`. Status is left at 0."""


class DuelField(Field):
    """Games of one against one; a row is a side: `players` is of shape (2, m)."""

    def __init__(self, duels: Duels, n: int) -> None:
        duels.check_players(n)
        self.duels = duels
        everybody = np.concatenate((duels.first, duels.second))
        self.players = everybody.reshape(2, len(duels))
        self.played = np.bincount(everybody, minlength=n)

    @cached_property
    def actual(self) -> Floats:
        return np.stack((self.duels.score, 1.0 - self.duels.score))

    def weigh(self, value: Floats, variance: Floats, *, side: float, by_row: bool) -> Told:
        duels, slope = self.duels, steepness(variance)
        lead = side * duels.side if side and duels.side is not None else None
        expected = np.empty(self.players.shape) if by_row else None
        weighed = weigh_pairs(value, slope, self.players, duels.score, lead, expected)
        evidence = Evidence(*(self.sum(side) for side in weighed))
        return Told(evidence, expected, slope.take(self.players[::-1]) if by_row else None)

    def sum(self, rows: NDArray[Any]) -> Floats:
        # In the order of the games: the same bits on every machine.
        everybody = self.players.ravel()
        return np.bincount(everybody, rows.ravel(), len(self.played)).astype(np.float64, copy=False)

    def count_against(self, is_opponent: Bools) -> Ints:
        return self.sum(is_opponent.take(self.players[::-1])).astype(np.int64)

    def explain(self, told: Told, variance: Floats, value: Floats, after: Floats) -> Changes:
        assert told.expected is not None and told.slope is not None  # noqa: S101, PT018 - asked for
        player = self.players.T.ravel()
        return Sides.of(self.duels).explain(
            told.expected.T.ravel(),
            variance[player] * told.slope.T.ravel(),
            value[player],
            after[player],
            np.zeros(len(player), dtype=np.int8),
        )


class TeamField(Field):
    """Contests of teams: each team against every other one, as of two players who have the mean of their members.

    The deviation of a mean is √(Σ RD²) / k, of k members. A contest weighs as much as one game: each of the n - 1 games
    of a team enters both sums by 1/(n - 1).
    """

    def __init__(self, contests: Contests, n: int) -> None:
        contests.check_players(n)
        self.teams = ContestTeams.of(contests)
        self.players = contests.player
        self.played = np.bincount(self.players, minlength=n)
        # All first teams before all second ones: as games of one against one are added up.
        self.order = np.argsort(contests.team, kind="stable")

    @cached_property
    def sides(self) -> Sides:
        return self.teams.sides()

    @cached_property
    def actual(self) -> Floats:
        return self.sides.actual

    def weigh(self, value: Floats, variance: Floats, *, side: float, by_row: bool) -> Told:
        teams = self.teams
        mean = teams.mean(value.take(self.players))
        slope = steepness(teams.variance_of_mean(variance.take(self.players)))

        def figures(pairs: TeamPairs) -> list[PairFigures]:
            those = slice(pairs.low, pairs.high)
            expected = np.empty(pairs.both.shape) if by_row else None
            found: list[PairFigures] = [
                *weigh_pairs(mean[those], slope[those], pairs.both, pairs.score, None, expected)
            ]
            if expected is not None:
                found += [expected, pairs.of_teams(slope)[::-1]]
            return found

        by_team = teams.mean_over_others(figures, 4 if by_row else 2)
        rows = [teams.spread(column) for column in by_team]
        evidence = Evidence(self.sum(rows[0]), self.sum(rows[1]))
        return Told(evidence, rows[2], rows[3], rows[1]) if by_row else Told(evidence)

    def sum(self, rows: NDArray[Any]) -> Floats:
        player, rows = self.players.take(self.order), rows.take(self.order)
        return np.bincount(player, rows, len(self.played)).astype(np.float64, copy=False)

    def count_against(self, is_opponent: Bools) -> Ints:
        return self.sum(self.teams.faces(is_opponent.take(self.players))).astype(np.int64)

    def explain(self, told: Told, variance: Floats, value: Floats, after: Floats) -> Changes:
        assert told.expected is not None and told.slope is not None  # noqa: S101, PT018 - asked for
        assert told.surprise is not None  # noqa: S101 - asked for
        player = self.players
        changes = self.sides.explain(
            told.expected,
            variance[player] * told.slope,
            value[player],
            after[player],
            np.zeros(len(player), dtype=np.int8),
        )
        # Of several teams each surprise weighs by the certainty of its own opponent: the points are their sum, and the
        # weight is what these come to for a full surprise.
        points, more = variance[player] * told.surprise, changes.actual - changes.expected
        is_several = self.teams.spread(self.teams.others) > 1
        is_known = is_several & (np.abs(more) >= _NO_SURPRISE)
        return replace(
            changes,
            contribution=np.where(is_several, points, changes.contribution),
            weight=np.where(is_known, points / np.where(is_known, more, 1.0), changes.weight),
        )


def field_of(results: Results, n: int) -> Field:
    """Raises ValueError when a game names a player beyond the n that are rated."""
    return TeamField(results, n) if isinstance(results, Contests) else DuelField(results, n)


def expect_teams(teams: ContestTeams, value: Floats, variance: Floats) -> Floats:
    """(r): of each row the score expected of its team, its mean over the others, by the deviations of both means.

    `value` and `variance` are of each row.
    """
    mean, spread = teams.mean(value), teams.variance_of_mean(variance)

    def figures(pairs: TeamPairs) -> list[PairFigures]:
        of_first, of_second = pairs.of_teams(spread)
        g = attenuation(np.sqrt(of_first + of_second))
        first = logistic(pairs.ahead(mean) * g / 400)
        return [(first, 1.0 - first)]

    return teams.spread(teams.mean_over_others(figures, 1)[0])
