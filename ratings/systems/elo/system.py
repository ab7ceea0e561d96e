"""Elo as a rating system."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats
from ratings.systems.changes import Changes
from ratings.systems.counting import count_games, elapsed, games_played
from ratings.systems.elo.curve import Chances, flatten, outcome_chances
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.stages import rate_in_stages
from ratings.systems.elo.stream import EloStream
from ratings.systems.elo.table import Journal, Table
from ratings.systems.points import PointsSystem
from ratings.systems.protocol import Results
from ratings.systems.refusing import only_duels
from ratings.systems.results import Duels
from ratings.systems.state import Ratings
from ratings.systems.waves import play_in_waves

__all__ = ["Elo"]


@dataclass(frozen=True, slots=True)
class Elo(PointsSystem):
    """`System` of Elo (1978): r' = r + K · Σ (w - E), E = 1 / (1 + 10^(-D / 2C)).

    Instant (`rate`) or by period (`rate_event`). Unequal statuses are rated in stages: new players
    first, then provisional ones, then established ones, each against the others' newest ratings.
    """

    settings: EloParameters

    name: ClassVar[str] = "elo"

    def age(self, ratings: Ratings, periods: ArrayLike) -> Ratings:
        """Unchanged but for `inflation`, a parameter that is 0 unless somebody sets it."""
        time = elapsed(periods, len(ratings))
        return replace(ratings.copy(), value=ratings.value + self.settings.inflation * time)

    def rate(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        return self._play(ratings, only_duels(results, system=self.name), all_count, None)

    def rate_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        duels = only_duels(results, system=self.name)
        journal = Journal.blank(len(duels))
        after = self._play(ratings, duels, all_count, journal)
        return after, journal.explain(duels)

    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        duels = only_duels(results, system=self.name)
        duels.check_players(len(ratings))
        status = self.status(ratings)
        changes = rate_in_stages(self.settings, ratings.value, status, duels)
        value = ratings.value.copy()
        value[changes.player] = changes.value_after
        games, counted = count_games(ratings, duels, status, all_count=all_count)
        return Ratings(value, None, None, games, counted), changes

    def expected(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Floats:
        points, sides, shape = flatten(_ahead(ratings, first, second), side)
        return self.settings.curve.expect(points, sides).reshape(shape)

    def chances(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Chances:
        """The chances that `first` wins, draws and loses; no draws while `draw_nu` is 0."""
        settings = self.settings
        return outcome_chances(
            _ahead(ratings, first, second),
            side=side,
            class_interval=settings.class_interval,
            draw_nu=settings.draw_nu,
            side_gamma=settings.side_gamma,
        )

    def _play(
        self, ratings: Ratings, duels: Duels, all_count: bool, journal: Journal | None
    ) -> Ratings:
        duels.check_players(len(ratings))
        table = Table.of(ratings)
        stream = EloStream(self.settings, table, duels, all_count=all_count, journal=journal)
        with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
            play_in_waves(stream, np.stack((duels.first, duels.second)))
        games = ratings.games + games_played(duels, len(ratings))
        return Ratings(table.value, None, None, games, table.counted)


def _ahead(ratings: Ratings, first: ArrayLike, second: ArrayLike) -> Floats:
    """Points ahead of each of `first`."""
    with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
        ahead: Floats = ratings.value[np.asarray(first)] - ratings.value[np.asarray(second)]
    return ahead
