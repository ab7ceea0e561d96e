"""Elo of contests: each team against every other one, computed stage by stage.

As of two players the less established one is computed first, so of a contest new players are, then provisional ones,
then established ones. The own team of each has the mean of its ratings before the event; the teams it meets have that
of their members' ratings as they stand after the stages before.
"""

import numpy as np

from ratings.systems.arrays import Floats, Ints, Statuses
from ratings.systems.changes import Changes
from ratings.systems.contest_journal import RowFigures
from ratings.systems.elo.curve import Curve
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.placement import Met, place_newcomers
from ratings.systems.elo.weights import contest_weights
from ratings.systems.paired_teams import surprises
from ratings.systems.state import Status
from ratings.systems.team_pairs import ContestTeams, PairFigures, TeamPairs

__all__ = ["TeamCurve", "rate_teams", "rate_teams_in_stages"]


class TeamCurve:
    """What Elo expects of teams, on neutral ground; draws are a result of their own only where two teams met."""

    def __init__(self, parameters: EloParameters, teams: ContestTeams) -> None:
        self.of_two = Curve.of(parameters.class_interval, parameters.draw_nu)
        self.of_many = Curve.of(parameters.class_interval)
        self.others = teams.others

    def expect(self, pairs: TeamPairs, ahead: Floats) -> Floats:
        """The score expected of teams that are so many points ahead in these pairs."""
        if not self.of_two.nu:
            return self.of_many.expect(ahead, None)
        is_many = pairs.of_teams(self.others)[0] > 1
        expected = self.of_two.expect(ahead, None)
        expected[is_many] = self.of_many.expect(ahead[is_many], None)
        return expected


def rate_teams(
    parameters: EloParameters, teams: ContestTeams, before: Floats, status: Statuses
) -> RowFigures:
    """Rate contests that share no player; `before` and `status` are of each row."""
    mean, curve = teams.mean(before), TeamCurve(parameters, teams)
    by_team = surprises(teams, mean, curve.expect)
    expected, actual, surprise = (teams.spread(column) for column in by_team)
    k = contest_weights(parameters, teams, before, status)
    after = np.maximum(before + k * surprise, parameters.floor)
    if status.size and status.min() != status.max():
        lowest = np.minimum.reduceat(status, teams.starts.take(teams.first_team[:-1]))
        is_late = status > np.repeat(lowest, np.diff(teams.starts.take(teams.first_team)))
        for stage in (Status.PROVISIONAL, Status.ESTABLISHED):
            late = np.flatnonzero(is_late & (status == stage))
            if late.size:
                newest = np.where(status < stage, after, before)
                again = _expect_late(parameters, teams, (before, newest), late)
                expected[late] = again
                own = before[late] + k[late] * (actual[late] - again)
                after[late] = np.maximum(own, parameters.floor)
    return RowFigures(expected, actual, k, k * (actual - expected), before, after)


def rate_teams_in_stages(
    parameters: EloParameters, value: Floats, status: Statuses, teams: ContestTeams
) -> tuple[Floats, Changes]:
    """Rate one event; `value` and `status` (length n) are those before it. The new values, and why.

    New players with enough placement games, if an operator asks for any, take their performance instead.
    """
    sides, player = teams.sides(), teams.player
    own, before = status[player], value[player]
    k = contest_weights(parameters, teams, before, own)
    expected = np.empty(len(player))
    placed = None
    if parameters.placement_games:
        placed = place_newcomers(parameters, value, status, sides, _met(teams, before, own))
    after = value.copy()
    for stage in Status:
        rows = np.flatnonzero(own == stage)
        if rows.size:
            expected[rows] = _expect_late(parameters, teams, (before, after[player]), rows)
            points = k[rows] * (sides.actual[rows] - expected[rows])
            # `bincount` adds up in the order of the rows, whatever the machine.
            after += np.bincount(player[rows], weights=points, minlength=len(value))
            after[player[rows]] = np.maximum(after[player[rows]], parameters.floor)
        if stage == Status.NEW and placed is not None:
            after[placed.players] = np.maximum(placed.value, parameters.floor)
    changes = sides.explain(expected, k, before, after[player], own)
    return after, changes if placed is None else placed.explain(changes)


def _expect_late(
    parameters: EloParameters, teams: ContestTeams, value: tuple[Floats, Floats], rows: Ints
) -> Floats:
    """The scores expected of some rows: `value`, of each row, is that of the own team and that of those it meets."""
    contest = np.repeat(np.arange(len(teams)), teams.counts)[teams.of_row[rows]]
    chosen = np.flatnonzero(np.bincount(contest, minlength=len(teams)))
    index = rows
    if len(chosen) < len(teams):  # others need not be computed
        teams, taken = teams.take(chosen)
        value, index = (value[0][taken], value[1][taken]), np.searchsorted(taken, rows)
    own, other = teams.mean(value[0]), teams.mean(value[1])
    curve = TeamCurve(parameters, teams)

    def figures(pairs: TeamPairs) -> list[PairFigures]:
        with np.errstate(over="ignore"):  # an infinite difference is sure to win
            ahead = pairs.of_teams(own) - pairs.of_teams(other)[::-1]
        return [(curve.expect(pairs, ahead[0]), curve.expect(pairs, ahead[1]))]

    return teams.spread(teams.mean_over_others(figures, 1)[0])[index]


def _met(teams: ContestTeams, value: Floats, status: Statuses) -> Met:
    """Whom each row met before the event."""
    mean = teams.mean(value)
    (met,) = teams.mean_over_others(lambda pairs: [pairs.of_teams(mean)[::-1]], 1)
    new = np.bincount(teams.of_row, status == Status.NEW, len(teams.sizes))
    return Met(teams.spread(met), teams.spread(teams.opposing(new)) == 0)
