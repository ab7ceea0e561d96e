"""Systems of points that rate one against one, and contests as games of each team against every other one.

A member of a team plays with the mean rating of it against the mean of the other, and is moved by a weight of its own.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ratings.systems.arrays import Floats, Ints, Statuses
from ratings.systems.base import Results
from ratings.systems.changes import Changes
from ratings.systems.contest_journal import ContestJournal, RowFigures
from ratings.systems.contest_waves import find_waves
from ratings.systems.contests import Contests
from ratings.systems.counting import count_contests
from ratings.systems.points import DuelSystem, Table, statuses
from ratings.systems.results import Duels
from ratings.systems.state import Ratings, Status
from ratings.systems.team_pairs import ContestTeams, PairFigures, TeamPairs

__all__ = ["PairedTeamsSystem", "chances", "surprises"]

# The score expected of those who are so many points ahead in pairs of teams: one length each.
Expect = Callable[[TeamPairs, Floats], Floats]


def chances(teams: ContestTeams, value: Floats, expect: Expect) -> Floats:
    """(t): the score expected of each team, its mean over the others; `value` is of each row."""
    mean = teams.mean(value)

    def figures(pairs: TeamPairs) -> list[PairFigures]:
        first = expect(pairs, pairs.ahead(mean))
        return [(first, 1.0 - first)]

    expected: Floats = teams.mean_over_others(figures, 1)[0]
    return expected


def surprises(teams: ContestTeams, mean: Floats, expect: Expect) -> tuple[Floats, Floats, Floats]:
    """(t) each: the score expected of each team, the one reached and what that is more, each a mean over the others.

    What is more for one team is less for the other, to the bit.
    """

    def figures(pairs: TeamPairs) -> list[PairFigures]:
        first = expect(pairs, pairs.ahead(mean))
        more = pairs.score - first
        return [(first, 1.0 - first), (pairs.score, 1.0 - pairs.score), (more, -more)]

    expected, actual, surprise = teams.mean_over_others(figures, 3)
    return expected, actual, surprise


@dataclass(frozen=True, slots=True)
class PairedTeamsSystem(DuelSystem):
    """A `DuelSystem` that rates `Contests` as well; of two teams of one they give what `Duels` give, to the bit.

    The share of the contest in which somebody took part (`weight`) is not looked at: it would make leaving cheaper.
    """

    @abstractmethod
    def rate_apart(self, teams: ContestTeams, before: Floats, status: Statuses) -> RowFigures:
        """Rate contests that share no player; `before` and `status` are of each row."""

    @abstractmethod
    def rate_together(
        self, value: Floats, status: Statuses, teams: ContestTeams
    ) -> tuple[Floats, Changes]:
        """Rate contests as one event: the new values of all n players, whose values and statuses are given."""

    @abstractmethod
    def expect_teams(self, teams: ContestTeams, value: Floats) -> Floats:
        """(t): the score expected of each team, its mean over the others; `value` is of each row."""

    @abstractmethod
    def rate_duels_together(
        self, ratings: Ratings, duels: Duels, *, all_count: bool
    ) -> tuple[Ratings, Changes]:
        """Rate duels as one event."""

    def rate(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        if isinstance(results, Contests):
            return self._play_contests(ratings, results, all_count, None)
        return DuelSystem.rate(self, ratings, results, all_count=all_count)

    def rate_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        if not isinstance(results, Contests):
            return DuelSystem.rate_explained(self, ratings, results, all_count=all_count)
        journal = ContestJournal.blank(len(results.player))
        after = self._play_contests(ratings, results, all_count, journal)
        return after, journal.explain(results)

    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        results.check_players(len(ratings))
        if not isinstance(results, Contests):
            return self.rate_duels_together(ratings, results, all_count=all_count)
        teams, status = ContestTeams.of(results), self.status(ratings)
        value, changes = self.rate_together(ratings.value, status, teams)
        games, counted = count_contests(ratings, teams, status, all_count=all_count)
        return Ratings(value, None, None, games, counted), changes

    def expected_of(self, ratings: Ratings, contests: Contests) -> Floats:
        contests.check_players(len(ratings))
        teams = ContestTeams.of(contests)
        return teams.spread(self.expect_teams(teams, ratings.value[teams.player]))

    def _play_contests(
        self, ratings: Ratings, contests: Contests, all_count: bool, journal: ContestJournal | None
    ) -> Ratings:
        """Each contest as an event of its own, in their order: those of a wave share no player."""
        contests.check_players(len(ratings))
        teams, table = ContestTeams.of(contests), Table.of(ratings)
        for wave in find_waves(teams.starts.take(teams.first_team), teams.player):
            some, rows = teams.take(wave)
            self._play_wave(some, rows, table, all_count, journal)
        games = ratings.games + np.bincount(teams.player, minlength=len(ratings))
        return Ratings(table.value, None, None, games, table.counted)

    def _play_wave(
        self,
        teams: ContestTeams,
        rows: Ints,
        table: Table,
        all_count: bool,
        journal: ContestJournal | None,
    ) -> None:
        players = teams.player
        before, progress = table.value.take(players), table.progress.take(players)
        status = statuses(progress, self.settings.established_after)
        did = self.rate_apart(teams, before, status)
        table.value[players] = did.after
        progress ^= progress >> 63  # who was new is new no more
        progress += True if all_count else teams.faces(status == Status.ESTABLISHED)
        table.progress[players] = progress
        if journal is not None:
            journal.note(rows, did, status)
