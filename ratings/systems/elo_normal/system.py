"""Elo with normal performances as a rating system."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.changes import Changes, Sides, interleave
from ratings.systems.contests import Contests
from ratings.systems.counting import count_games, elapsed, games_played
from ratings.systems.elo.table import Journal, Table
from ratings.systems.elo_normal.parameters import EloNormalParameters
from ratings.systems.elo_normal.stream import EloNormalStream
from ratings.systems.parameters import Value
from ratings.systems.protocol import Results
from ratings.systems.refusing import only_duels, refuse_teams
from ratings.systems.results import Duels
from ratings.systems.state import Ratings
from ratings.systems.status import status_by_games
from ratings.systems.waves import play_in_waves

__all__ = ["EloNormal"]


@dataclass(frozen=True, slots=True)
class EloNormal:
    """`System` of Elo with performances p ~ N(s, β²): Δ = α β √π (w - Φ((s_1 - s_2) / √2 β)).

    What one player wins the other loses, whatever their statuses (Herbrich, Minka & Graepel 2007).
    Φ comes from the C library: other machines may differ in the last bits.
    """

    settings: EloNormalParameters

    name: ClassVar[str] = "elo_normal"
    is_period: ClassVar[bool] = False
    uses_deviation: ClassVar[bool] = False
    takes_teams: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ()
    places: ClassVar[int] = 0
    grows_in_play: ClassVar[bool] = False

    @property
    def parameters(self) -> Mapping[str, Value]:
        return self.settings.as_dict()

    def initial(self, n: int) -> Ratings:
        nothing = np.zeros(n, dtype=np.int64)
        return Ratings(np.full(n, self.settings.start), None, None, nothing, nothing.copy())

    def age(self, ratings: Ratings, periods: ArrayLike) -> Ratings:
        """Unchanged."""
        elapsed(periods, len(ratings))
        return ratings.copy()

    def rate(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        return self._play(ratings, only_duels(results, system=self.name), all_count, None)

    def rate_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        duels = only_duels(results, system=self.name)
        journal = Journal.blank(len(duels))
        after = self._play(ratings, duels, all_count, journal)
        return after, journal.explain(duels)

    def rate_event(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        return self.rate_event_explained(ratings, results, all_count=all_count)[0]

    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        duels = only_duels(results, system=self.name)
        duels.check_players(len(ratings))
        sides, status = Sides.of(duels), self.status(ratings)
        first = self.expected(ratings, duels.first, duels.second)
        expected = interleave(first, 1.0 - first)
        points = self.settings.weight * (sides.actual - expected)
        value = ratings.value + np.bincount(sides.player, weights=points, minlength=len(ratings))
        games, counted = count_games(ratings, duels, status, all_count=all_count)
        changes = sides.explain(
            expected,
            np.full(len(expected), self.settings.weight),
            ratings.value[sides.player],
            value[sides.player],
            status[sides.player],
        )
        return Ratings(value, None, None, games, counted), changes

    def expected(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Floats:
        with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
            ahead = ratings.value[np.asarray(first)] - ratings.value[np.asarray(second)]
        chance: Floats = ndtr(ahead * self.settings.per_point)
        return chance

    def expected_of(self, ratings: Ratings, contests: Contests) -> Floats:
        refuse_teams(self.name)

    def status(self, ratings: Ratings) -> Statuses:
        return status_by_games(ratings.games, ratings.counted, self.settings.established_after)

    def periods_until(
        self, deviation: ArrayLike, threshold: float, volatility: ArrayLike | None = None
    ) -> Floats:
        """Never: there is no deviation that could grow."""
        return np.full(np.shape(deviation), np.inf)

    def _play(
        self, ratings: Ratings, duels: Duels, all_count: bool, journal: Journal | None
    ) -> Ratings:
        duels.check_players(len(ratings))
        table = Table.of(ratings)
        stream = EloNormalStream(self.settings, table, duels, all_count=all_count, journal=journal)
        with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
            play_in_waves(stream, np.stack((duels.first, duels.second)))
        games = ratings.games + games_played(duels, len(ratings))
        return Ratings(table.value, None, None, games, table.counted)
