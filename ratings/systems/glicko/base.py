"""What Glicko and Glicko-2 have in common: everything but how time and a period change a player."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Bools, Floats, Ints, Statuses
from ratings.systems.base import BaseSystem
from ratings.systems.changes import Changes, Sides
from ratings.systems.counting import elapsed
from ratings.systems.glicko.common import CommonParameters
from ratings.systems.glicko.period import Evidence, Field, attenuation, gather_evidence
from ratings.systems.logistic import logistic
from ratings.systems.protocol import Results
from ratings.systems.refusing import only_duels
from ratings.systems.results import Duels
from ratings.systems.state import Ratings

__all__ = ["Entrants", "GlickoBase", "Rated"]


@dataclass(frozen=True, slots=True, eq=False)
class Entrants:
    """The k players of a period before it, `volatility` None where the system has none."""

    value: Floats
    deviation: Floats
    volatility: Floats | None


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """The same players after it; gain: points a full surprise against a sure opponent is worth."""

    value: Floats
    deviation: Floats
    volatility: Floats | None
    gain: Floats


@dataclass(frozen=True, slots=True)
class GlickoBase(BaseSystem):
    """A `System` run by period only, without stages; `grow` and `rate_players` make it one of two."""

    settings: CommonParameters

    is_period: ClassVar[bool] = True
    uses_deviation: ClassVar[bool] = True

    @abstractmethod
    def grow(self, deviation: Floats, volatility: Floats | None, time: Floats) -> None:
        """Let `deviation` grow in place for so many periods without play."""

    @abstractmethod
    def rate_players(self, before: Entrants, evidence: Evidence) -> Rated:
        """What a period of games makes of its k players; within no floor or ceiling yet."""

    @abstractmethod
    def volatility_of(self, ratings: Ratings) -> Floats | None:
        """The volatility of all n players as it was given, or is at the start; None without one."""

    def initial(self, n: int) -> Ratings:
        settings, nothing = self.settings, np.zeros(n, dtype=np.int64)
        deviation = np.full(n, settings.deviation_start)
        start = Ratings(np.full(n, settings.start), deviation, None, nothing, nothing.copy())
        return replace(start, volatility=self.volatility_of(start))

    def age(self, ratings: Ratings, periods: ArrayLike) -> Ratings:
        """Deviations grow with time, up to RD_max; the columns that stay are shared, not copied."""
        time = elapsed(periods, len(ratings))
        if np.ndim(periods) == 0:
            time = time[:1]
        deviation = self._deviation(ratings)
        self.grow(deviation, self.volatility_of(ratings), time)
        np.minimum(deviation, self.settings.deviation_max, out=deviation)
        return ratings.with_columns(deviation=deviation)

    def rate(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        """One period, from deviations as they stand at its start (`age`)."""
        return self.rate_event(ratings, results, all_count=all_count)

    def rate_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        return self.rate_event_explained(ratings, results, all_count=all_count)

    def rate_event(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        field, before, evidence = self.weigh_games(ratings, results)
        rated = self.rate_players(before, evidence)
        return self._put(ratings, before, rated, field, all_count=all_count)

    def weigh_games(self, ratings: Ratings, results: Results) -> tuple[Field, Entrants, Evidence]:
        """Who played, how they stood before, and what their games say of them."""
        duels = only_duels(results, system=self.name)
        field = Field.of(duels, len(ratings))
        before = self._entrants(ratings, field.who)
        g, lead = attenuation(before.deviation), self._lead(duels)
        return field, before, gather_evidence(before.value, g, field, duels.score, lead)

    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        duels = only_duels(results, system=self.name)
        field = Field.of(duels, len(ratings))
        before = self._entrants(ratings, field.who)
        g, expected = attenuation(before.deviation), np.empty(field.players.shape)
        evidence = gather_evidence(before.value, g, field, duels.score, self._lead(duels), expected)
        rated = self.rate_players(before, evidence)
        player, opponent = field.players.T.ravel(), field.players[::-1].T.ravel()
        changes = Sides.of(duels).explain(
            expected.T.ravel(),
            rated.gain[player] * g[opponent],
            before.value[player],
            rated.value[player],
            self.status(ratings)[field.who[player]],
        )
        return self._put(ratings, before, rated, field, all_count=all_count), changes

    def expected(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Floats:
        """Two-sided: both deviations enter through g(√(RD_i² + RD_j²))."""
        a, b = np.asarray(first), np.asarray(second)
        deviation = self._deviation(ratings)
        g = attenuation(np.sqrt(deviation[a] * deviation[a] + deviation[b] * deviation[b]))
        lead = self.settings.side_advantage * np.asarray(side, dtype=np.float64)
        with np.errstate(over="ignore"):  # an infinite difference is expected to win surely
            decades = (ratings.value[a] - ratings.value[b] + lead) * g / 400
        return logistic(decades.ravel()).reshape(decades.shape)

    def status(self, ratings: Ratings) -> Statuses:
        """Established by games, but provisional while the deviation is above the threshold."""
        status = (ratings.games > 0).astype(np.int8)
        deviation = self._deviation(ratings)
        return status + (self._has_enough(ratings) & self._is_sure(deviation))

    def _is_sure(self, deviation: Floats) -> Bools:
        return deviation <= self.settings.provisional_deviation

    def _has_enough(self, ratings: Ratings) -> Bools:
        """Who of all n has the games of an established player."""
        enough: Bools = ratings.counted >= self.settings.established_after
        return enough & (ratings.games > 0) if enough.any() else enough

    def _entrants(self, ratings: Ratings, who: Ints) -> Entrants:
        deviation, volatility = self._within(_given_deviation(ratings).take(who)), None
        if (everybodys := self.volatility_of(ratings)) is not None:
            volatility = everybodys.take(who)
        return Entrants(ratings.value.take(who), deviation, volatility)

    def _lead(self, duels: Duels) -> Floats | None:
        """Points by which the side played puts each first player ahead; None where none does."""
        points = self.settings.side_advantage
        return points * duels.side if points and duels.side is not None else None

    def _put(
        self, ratings: Ratings, before: Entrants, rated: Rated, field: Field, *, all_count: bool
    ) -> Ratings:
        """The ratings after the period; whoever did not play keeps what there was."""
        who, volatility = field.who, self.volatility_of(ratings)
        if volatility is not None and rated.volatility is not None:
            volatility = _replaced(volatility, who, rated.volatility)
        return ratings.with_columns(
            value=_replaced(ratings.value, who, rated.value),
            deviation=_replaced(_given_deviation(ratings), who, self._within(rated.deviation)),
            volatility=volatility,
            games=ratings.games + field.played,
            counted=self._counted(ratings, before, field, all_count=all_count),
        )

    def _counted(
        self, ratings: Ratings, before: Entrants, field: Field, *, all_count: bool
    ) -> Ints:
        """With the games of the period against opponents who were established before it."""
        if all_count:
            return ratings.counted + field.played
        enough = self._has_enough(ratings)
        if not enough.any():
            return ratings.counted
        is_established = enough.take(field.who)
        is_established &= self._is_sure(before.deviation)
        after = ratings.counted.copy()
        after[field.who] += field.count_against(is_established)
        return after

    def _deviation(self, ratings: Ratings) -> Floats:
        return self._within(_given_deviation(ratings))

    def _within(self, deviation: Floats) -> Floats:
        """Between the floor and the ceiling, which an operator may have moved since."""
        return np.clip(deviation, self.settings.deviation_min, self.settings.deviation_max)


def _given_deviation(ratings: Ratings) -> Floats:
    if ratings.deviation is None:
        raise ValueError("ratings have no deviation: Glicko needs one for every player")
    return ratings.deviation


def _replaced(column: Floats, who: Ints, new: Floats) -> Floats:
    """The column with new numbers of some players, as a new array."""
    after = column.copy()
    after[who] = new
    return after
