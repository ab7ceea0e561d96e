"""Elo as a rating system."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.changes import Changes
from ratings.systems.contest_journal import RowFigures
from ratings.systems.counting import count_games, elapsed
from ratings.systems.declaration import Declaration
from ratings.systems.elo.curve import Chances, flatten, outcome_chances
from ratings.systems.elo.declaration import ELO
from ratings.systems.elo.draws_and_side import ahead_before, estimate_draws_and_side
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.stages import rate_in_stages
from ratings.systems.elo.stream import EloStream
from ratings.systems.elo.team_stages import TeamCurve, rate_teams, rate_teams_in_stages
from ratings.systems.paired_teams import PairedTeamsSystem, chances
from ratings.systems.points import points_ahead
from ratings.systems.results import Duels
from ratings.systems.state import Ratings
from ratings.systems.team_pairs import ContestTeams

__all__ = ["Elo"]


@dataclass(frozen=True, slots=True)
class Elo(PairedTeamsSystem):
    """`System` of Elo (1978): r' = r + K · Σ (w - E), E = 1 / (1 + 10^(-D / 2C)).

    Instant (`rate`) or by period (`rate_event`). Unequal statuses are rated in stages: new players
    first, then provisional ones, then established ones, each against the others' newest ratings.
    """

    settings: EloParameters

    declaration: ClassVar[Declaration] = ELO
    stream: ClassVar[type[EloStream]] = EloStream

    def age(self, ratings: Ratings, periods: ArrayLike) -> Ratings:
        """Unchanged: there is no deviation that could grow."""
        elapsed(periods, len(ratings))
        return ratings.copy()

    def rate_duels_together(
        self, ratings: Ratings, duels: Duels, *, all_count: bool
    ) -> tuple[Ratings, Changes]:
        status = self.status(ratings)
        changes = rate_in_stages(self.settings, ratings.value, status, duels)
        value = ratings.value.copy()
        value[changes.player] = changes.value_after
        games, counted = count_games(ratings, duels, status, all_count=all_count)
        return Ratings(value, None, None, games, counted), changes

    def rate_apart(self, teams: ContestTeams, before: Floats, status: Statuses) -> RowFigures:
        return rate_teams(self.settings, teams, before, status)

    def rate_together(
        self, value: Floats, status: Statuses, teams: ContestTeams
    ) -> tuple[Floats, Changes]:
        return rate_teams_in_stages(self.settings, value, status, teams)

    def expect_teams(self, teams: ContestTeams, value: Floats) -> Floats:
        return chances(teams, value, TeamCurve(self.settings, teams).expect)

    def expected(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Floats:
        points, sides, shape = flatten(points_ahead(ratings.value, first, second), side)
        return self.settings.curve.expect(points, sides).reshape(shape)

    def likely_draws_and_side(self, ratings: Ratings, duels: Duels) -> Mapping[str, float]:
        """`draw_nu` and `side_gamma`, the ratings before each game taken as given."""
        _after, changes = self.rate_explained(ratings, duels)
        found = estimate_draws_and_side(
            ahead_before(changes),
            duels.score,
            duels.side,
            class_interval=self.settings.class_interval,
        )
        return {"draw_nu": found.draw_nu, "side_gamma": found.side_gamma}

    def chances(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Chances:
        """The chances that `first` wins, draws and loses; no draws while `draw_nu` is 0."""
        settings = self.settings
        return outcome_chances(
            points_ahead(ratings.value, first, second),
            side=side,
            class_interval=settings.class_interval,
            draw_nu=settings.draw_nu,
            side_gamma=settings.side_gamma,
        )
