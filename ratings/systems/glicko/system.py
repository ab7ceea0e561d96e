"""Glicko (Glickman 1999, "Parameter estimation in large dynamic paired comparison experiments")."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.changes import Changes, Sides
from ratings.systems.contests import Contests
from ratings.systems.counting import count_games, elapsed
from ratings.systems.glicko.parameters import GlickoParameters
from ratings.systems.glicko.period import Period, attenuation, rate_period
from ratings.systems.logistic import logistic
from ratings.systems.parameters import Value
from ratings.systems.protocol import Results
from ratings.systems.refusing import only_duels, refuse_teams
from ratings.systems.results import Duels
from ratings.systems.state import Ratings
from ratings.systems.status import Status, status_by_games

__all__ = ["Glicko"]


@dataclass(frozen=True, slots=True)
class Glicko:
    """`System` of Glicko; run by period only, without stages."""

    settings: GlickoParameters

    name: ClassVar[str] = "glicko"
    is_period: ClassVar[bool] = True
    uses_deviation: ClassVar[bool] = True
    takes_teams: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ()
    places: ClassVar[int] = 0

    @property
    def parameters(self) -> Mapping[str, Value]:
        return self.settings.as_dict()

    def initial(self, n: int) -> Ratings:
        settings, nothing = self.settings, np.zeros(n, dtype=np.int64)
        deviation = np.full(n, settings.deviation_start)
        return Ratings(np.full(n, settings.start), deviation, None, nothing, nothing.copy())

    def age(self, ratings: Ratings, periods: ArrayLike) -> Ratings:
        """RD = min(√(RD² + c²t), RD_max)."""
        time, highest = elapsed(periods, len(ratings)), self.settings.deviation_max
        before, c = self._deviation(ratings), self.settings.c
        # Longer than from nothing to the largest deviation is no different, and may overflow.
        time = np.minimum(time, (highest / c) * (highest / c) if c else 0.0)
        after = np.minimum(np.sqrt(before * before + c * c * time), highest)
        return replace(ratings.copy(), deviation=after)

    def rate(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        """One period, from deviations as they stand after the period-start step (`age`)."""
        return self.rate_event(ratings, results, all_count=all_count)

    def rate_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        return self.rate_event_explained(ratings, results, all_count=all_count)

    def rate_event(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        return self._rate(ratings, only_duels(results, system=self.name), all_count)[0]

    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        duels = only_duels(results, system=self.name)
        after, period = self._rate(ratings, duels, all_count)
        sides = Sides.of(duels)
        status = self.status(ratings)[sides.player]
        weight = period.gain[sides.player] * period.g[sides.opponent]
        before = ratings.value[sides.player]
        return after, sides.explain(
            period.expected.T.ravel(), weight, before, after.value[sides.player], status
        )

    def expected(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Floats:
        """Two-sided: both deviations enter through g(√(RD_i² + RD_j²))."""
        a, b = np.asarray(first), np.asarray(second)
        deviation = self._deviation(ratings)
        g = attenuation(np.sqrt(deviation[a] * deviation[a] + deviation[b] * deviation[b]))
        with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
            decades = (ratings.value[a] - ratings.value[b]) * g / 400
        return logistic(decades.ravel()).reshape(decades.shape)

    def expected_of(self, ratings: Ratings, contests: Contests) -> Floats:
        refuse_teams(self.name)

    def status(self, ratings: Ratings) -> Statuses:
        """Established by games, but provisional while the deviation is above the threshold."""
        status = status_by_games(ratings.games, ratings.counted, self.settings.established_after)
        is_vague = self._deviation(ratings) > self.settings.provisional_deviation
        status[is_vague & (status == Status.ESTABLISHED)] = Status.PROVISIONAL
        return status

    def periods_until(self, deviation: ArrayLike, threshold: float) -> Floats:
        """t = (threshold² - RD²) / c²; inf beyond the largest deviation or where c is 0."""
        now, c = np.asarray(deviation, dtype=np.float64), self.settings.c
        missing = (threshold - now) * (threshold + now)
        reachable = c > 0 and threshold <= self.settings.deviation_max
        growing = missing / (c * c) if reachable else np.full(now.shape, np.inf)
        return np.where(missing <= 0, 0.0, growing)

    def _rate(self, ratings: Ratings, duels: Duels, all_count: bool) -> tuple[Ratings, Period]:
        duels.check_players(len(ratings))
        period = rate_period(ratings.value, self._deviation(ratings), duels)
        status = self.status(ratings)
        games, counted = count_games(ratings, duels, status, all_count=all_count)
        lowest, highest = self.settings.deviation_min, self.settings.deviation_max
        rated = np.clip(np.sqrt(period.variance), lowest, highest)
        deviation = np.where(games > ratings.games, rated, _given_deviation(ratings))
        return Ratings(period.value, deviation, None, games, counted), period

    def _deviation(self, ratings: Ratings) -> Floats:
        """Within the floor and the ceiling, which an operator may have moved since."""
        lowest, highest = self.settings.deviation_min, self.settings.deviation_max
        return np.clip(_given_deviation(ratings), lowest, highest)


def _given_deviation(ratings: Ratings) -> Floats:
    if ratings.deviation is None:
        raise ValueError("ratings have no deviation: Glicko needs one for every player")
    return ratings.deviation
