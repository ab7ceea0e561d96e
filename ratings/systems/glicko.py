"""Glicko (Glickman 1999, "Parameter estimation in large dynamic paired comparison experiments")."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.changes import Changes, Sides
from ratings.systems.counting import count_games, elapsed
from ratings.systems.logistic import logistic
from ratings.systems.parameters import ParameterError, ParameterSet, Value, number, whole
from ratings.systems.parameters import gettext_noop as _
from ratings.systems.results import Duels
from ratings.systems.state import Ratings
from ratings.systems.status import Status, status_by_games

__all__ = ["Glicko", "GlickoParameters", "attenuation", "forgetting_constant"]

_Q = math.log(10) / 400
_SPREAD = 3 * _Q * _Q / (math.pi * math.pi)


@dataclass(frozen=True, slots=True, kw_only=True)
class GlickoParameters(ParameterSet):
    """What an operator may tune of Glicko; `c` usually follows from the ladder's days to forget."""

    start: float = number(
        1500.0,
        0.0,
        100_000.0,
        unit=_("points"),
        label=_("Start rating"),
        help=_("The rating of a player who has not played yet."),
    )
    deviation_start: float = number(
        350.0,
        1.0,
        10_000.0,
        unit=_("points"),
        label=_("Start deviation"),
        help=_("How uncertain the rating of a new player is, as one standard deviation."),
    )
    deviation_min: float = number(
        30.0,
        1.0,
        10_000.0,
        unit=_("points"),
        label=_("Smallest deviation"),
        help=_("No rating becomes more certain than this, so that it can still move."),
    )
    deviation_max: float = number(
        350.0,
        1.0,
        10_000.0,
        unit=_("points"),
        label=_("Largest deviation"),
        help=_("No rating becomes less certain than this, however long a player rests."),
    )
    c: float = number(
        34.64101615137755,
        0.0,
        10_000.0,
        unit=_("points per √period"),
        label=_("Growth of the deviation"),
        help=_("How fast a rating becomes uncertain while its player rests."),
    )
    established_after: int = whole(
        30,
        1,
        10_000,
        unit=_("games"),
        label=_("Established after"),
        help=_("The number of counted games after which a player can be established."),
    )
    provisional_deviation: float = number(
        110.0,
        1.0,
        10_000.0,
        unit=_("points"),
        label=_("Provisional above"),
        help=_("A player whose deviation is above this is provisional, whatever he has played."),
    )

    def check_together(self) -> None:
        """The start must lie between the smallest and the largest deviation."""
        low, high = self.deviation_min, self.deviation_max
        if not low < high:
            raise ParameterError(
                "deviation_max", high, f"must be above deviation_min, which is {low:g}"
            )
        if not low <= self.deviation_start <= high:
            raise ParameterError(
                "deviation_start",
                self.deviation_start,
                f"must lie between deviation_min {low:g} and deviation_max {high:g}",
            )


def attenuation(deviation: Floats) -> Floats:
    """g(RD) = 1 / √(1 + 3q²RD²/π²), for arrays of any shape, deviations in points."""
    g: Floats = 1 / np.sqrt(1 + _SPREAD * deviation * deviation)
    return g


def forgetting_constant(
    *,
    days_to_forget: float,
    period_days: float,
    average_deviation: float = 50.0,
    deviation_start: float = 350.0,
) -> float:
    """The `c` with which an average player is as uncertain as a new one after `days_to_forget`.

    Solves √(RD² + c²t) = RD_start for t = days_to_forget / period_days; points per √period.
    Raises ParameterError when a length is not positive or the deviations are the wrong way round.
    """
    for name, days in (("days_to_forget", days_to_forget), ("period_days", period_days)):
        if not (math.isfinite(days) and days > 0):
            raise ParameterError(name, days, "must be a positive number of days")
    if not 0 <= average_deviation <= deviation_start < math.inf:
        raise ParameterError(
            "average_deviation",
            average_deviation,
            f"must be from 0 to deviation_start, which is {deviation_start:g}",
        )
    growth = (deviation_start - average_deviation) * (deviation_start + average_deviation)
    return math.sqrt(growth / days_to_forget * period_days)


@dataclass(frozen=True, slots=True)
class Glicko:
    """`System` of Glicko; run by period only, without stages."""

    settings: GlickoParameters

    name: ClassVar[str] = "glicko"
    is_period: ClassVar[bool] = True
    uses_deviation: ClassVar[bool] = True

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

    def rate(self, ratings: Ratings, duels: Duels, *, all_count: bool = False) -> Ratings:
        """One period, from deviations as they stand after the period-start step (`age`)."""
        return self.rate_explained(ratings, duels, all_count=all_count)[0]

    def rate_explained(
        self, ratings: Ratings, duels: Duels, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        return self.rate_event_explained(ratings, duels, all_count=all_count)

    def rate_event(self, ratings: Ratings, duels: Duels, *, all_count: bool = False) -> Ratings:
        return self.rate_event_explained(ratings, duels, all_count=all_count)[0]

    def rate_event_explained(
        self, ratings: Ratings, duels: Duels, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        duels.check_players(len(ratings))
        n, sides, before = len(ratings), Sides.of(duels), self._deviation(ratings)
        g = attenuation(before)[sides.opponent]
        with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
            ahead = ratings.value[sides.player] - ratings.value[sides.opponent]
            expected = logistic(ahead * g / 400)
        variance = np.bincount(sides.player, g * g * expected * (1 - expected), n)
        surprise = np.bincount(sides.player, g * (sides.actual - expected), n)
        precision = 1 / (before * before) + _Q * _Q * variance
        value = ratings.value + _Q / precision * surprise
        games, counted = count_games(ratings, duels, self.status(ratings), all_count=all_count)
        after = np.clip(
            np.sqrt(1 / precision), self.settings.deviation_min, self.settings.deviation_max
        )
        deviation = np.where(games > ratings.games, after, _given_deviation(ratings))
        changes = sides.explain(
            expected,
            (_Q / precision)[sides.player] * g,
            ratings.value[sides.player],
            value[sides.player],
        )
        return Ratings(value, deviation, None, games, counted), changes

    def expected(self, ratings: Ratings, first: ArrayLike, second: ArrayLike) -> Floats:
        """Two-sided: both deviations enter through g(√(RD_i² + RD_j²))."""
        a, b = np.asarray(first), np.asarray(second)
        deviation = self._deviation(ratings)
        g = attenuation(np.sqrt(deviation[a] * deviation[a] + deviation[b] * deviation[b]))
        with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
            decades = (ratings.value[a] - ratings.value[b]) * g / 400
        return logistic(decades.ravel()).reshape(decades.shape)

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

    def _deviation(self, ratings: Ratings) -> Floats:
        """Within the floor and the ceiling, which an operator may have moved since."""
        lowest, highest = self.settings.deviation_min, self.settings.deviation_max
        return np.clip(_given_deviation(ratings), lowest, highest)


def _given_deviation(ratings: Ratings) -> Floats:
    if ratings.deviation is None:
        raise ValueError("ratings have no deviation: Glicko needs one for every player")
    return ratings.deviation
