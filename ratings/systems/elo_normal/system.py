"""Elo with normal performances as a rating system."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy  # loads its parts when they are first used: most processes use none
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.changes import Changes, Sides, interleave
from ratings.systems.contest_journal import RowFigures
from ratings.systems.counting import count_games
from ratings.systems.declaration import Declaration
from ratings.systems.elo_normal.parameters import EloNormalParameters
from ratings.systems.elo_normal.stream import EloNormalStream
from ratings.systems.explanation import explain_teams
from ratings.systems.paired_teams import PairedTeamsSystem, chances, surprises
from ratings.systems.parameters import gettext_noop as _
from ratings.systems.points import points_ahead
from ratings.systems.results import Duels
from ratings.systems.state import Ratings
from ratings.systems.team_pairs import ContestTeams, TeamPairs

__all__ = ["EloNormal"]


@dataclass(frozen=True, slots=True)
class EloNormal(PairedTeamsSystem):
    """`System` of Elo with performances p ~ N(s, β²): Δ = α β √π (w - Φ((s_1 - s_2) / √2 β)).

    What one player wins the other loses, whatever their statuses (Herbrich, Minka & Graepel 2007).
    Φ comes from the C library: other machines may differ in the last bits.
    """

    settings: EloNormalParameters

    declaration: ClassVar[Declaration] = Declaration(
        name="elo_normal",
        title=_("Elo with the normal curve"),
        purpose=_(
            "One against one above all, where points must neither appear nor vanish: what one wins the "
            "other loses, and one match weighs the same for everybody. Of teams, each plays against every other one."
        ),
        parameters=EloNormalParameters,
        takes_teams=True,
        spread_parameter="beta",
        tuned=("alpha",),
        weight_symbol="α β √π",
        explain_worth=explain_teams,
    )

    stream: ClassVar[type[EloNormalStream]] = EloNormalStream

    def rate_duels_together(
        self, ratings: Ratings, duels: Duels, *, all_count: bool
    ) -> tuple[Ratings, Changes]:
        sides, status = Sides.of(duels), self.status(ratings)
        first = self.expected(ratings, duels.first, duels.second)
        expected = interleave(first, 1.0 - first)
        points = self.settings.weight * (sides.actual - expected)
        value = ratings.value + np.bincount(sides.player, weights=points, minlength=len(ratings))
        value[sides.player] = np.maximum(value[sides.player], self.settings.floor)
        games, counted = count_games(ratings, duels, status, all_count=all_count)
        changes = sides.explain(
            expected,
            np.full(len(expected), self.settings.weight),
            ratings.value[sides.player],
            value[sides.player],
            status[sides.player],
        )
        return Ratings(value, None, None, games, counted), changes

    def rate_apart(self, teams: ContestTeams, before: Floats, status: Statuses) -> RowFigures:
        by_team = surprises(teams, teams.mean(before), self._expect)
        expected, actual, surprise = (teams.spread(column) for column in by_team)
        weight = self.settings.weight
        after = np.maximum(before + weight * surprise, self.settings.floor)
        points = weight * (actual - expected)
        return RowFigures(expected, actual, np.full(len(after), weight), points, before, after)

    def rate_together(
        self, value: Floats, status: Statuses, teams: ContestTeams
    ) -> tuple[Floats, Changes]:
        sides, before = teams.sides(), value[teams.player]
        expected = teams.spread(self.expect_teams(teams, before))
        points = self.settings.weight * (sides.actual - expected)
        after = value + np.bincount(sides.player, weights=points, minlength=len(value))
        after[sides.player] = np.maximum(after[sides.player], self.settings.floor)
        weight = np.full(len(expected), self.settings.weight)
        own = status[sides.player]
        return after, sides.explain(expected, weight, before, after[sides.player], own)

    def expect_teams(self, teams: ContestTeams, value: Floats) -> Floats:
        return chances(teams, value, self._expect)

    def _expect(self, pairs: TeamPairs, ahead: Floats) -> Floats:
        chance: Floats = scipy.special.ndtr(ahead * self.settings.per_point)
        return chance

    def expected(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Floats:
        ahead = points_ahead(ratings.value, first, second)
        chance: Floats = scipy.special.ndtr(ahead * self.settings.per_point)
        return chance
