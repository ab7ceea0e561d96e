"""What Glicko and Glicko-2 have in common: everything but how time and a period change a player."""

from abc import abstractmethod
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Bools, Floats, Ints, Statuses
from ratings.systems.base import PeriodSystem, Results
from ratings.systems.changes import Changes, Sums
from ratings.systems.contests import Contests
from ratings.systems.counting import elapsed
from ratings.systems.glicko.common import CommonParameters
from ratings.systems.glicko.few import Few
from ratings.systems.glicko.field import Field, Told, expect_teams, field_of
from ratings.systems.glicko.period import Evidence, Q, attenuation
from ratings.systems.logistic import logistic
from ratings.systems.state import Ratings
from ratings.systems.team_pairs import ContestTeams

__all__ = ["Entrants", "GlickoBase", "Rated"]


@dataclass(frozen=True, slots=True, eq=False)
class Entrants:
    """All n players before a period; RD² is `variance`; `volatility` None where the system has none."""

    value: Floats
    deviation: Floats
    variance: Floats
    volatility: Floats | None

    def take(self, who: Ints) -> "Entrants":
        """Some of them."""
        return Entrants(
            self.value.take(who),
            self.deviation.take(who),
            self.variance.take(who),
            None if self.volatility is None else self.volatility.take(who),
        )

    def moved(self, surprise: Floats) -> Floats:
        """r' = r + RD² · Σ q g(w - E), written into `surprise`."""
        surprise *= self.variance
        surprise += self.value
        return surprise


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """The same players after it, within no floor or ceiling yet."""

    value: Floats
    variance: Floats
    volatility: Floats | None


@dataclass(frozen=True, slots=True)
class GlickoBase(PeriodSystem):
    """A `System` run by period only, without stages; `grow` and `rate_players` make it one of two."""

    settings: CommonParameters

    @abstractmethod
    def grow(self, deviation: Floats, volatility: Floats | None, time: Floats) -> None:
        """Let `deviation` grow in place for so many periods without play."""

    @abstractmethod
    def rate_players(self, before: Entrants, evidence: Evidence, field: Field) -> Rated:
        """What a period of games makes of its players, the others left as they are.

        `before.variance` and the evidence are used up.
        """

    @abstractmethod
    def volatility_of(self, ratings: Ratings) -> Floats | None:
        """The volatility of all n players as it was given, or is at the start; None without one."""

    def initial(self, n: int) -> Ratings:
        return self._completed(PeriodSystem.initial(self, n))

    def age(self, ratings: Ratings, periods: ArrayLike) -> Ratings:
        """Deviations grow with time, up to RD_max; the columns that stay are shared, not copied."""
        time = elapsed(periods, len(ratings))
        if np.ndim(periods) == 0:
            time = time[:1]
        settings = self.settings
        deviation = np.clip(
            ratings.deviation_for("Glicko"), settings.deviation_min, settings.deviation_max
        )
        self.grow(deviation, self.volatility_of(ratings), time)
        np.minimum(deviation, settings.deviation_max, out=deviation)
        return ratings.with_columns(deviation=deviation)

    def rate(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        """One period, from deviations as they stand at its start (`age`)."""
        return self.rate_event(ratings, results, all_count=all_count)

    def rate_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        return self.rate_event_explained(ratings, results, all_count=all_count)

    def rate_event(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        if (few := Few.of(results, len(ratings))) is not None:
            after = self.rate_event(ratings.take(few.who), few.results, all_count=all_count)
            return few.put(after, self._completed(ratings))
        field, before, told = self.weigh_games(ratings, results)
        rated = self._rate_above_floor(before, told, field)
        return self._put(ratings, before, rated, field, all_count=all_count)

    def weigh_games(
        self, ratings: Ratings, results: Results, *, by_row: bool = False
    ) -> tuple[Field, Entrants, Told]:
        """Who played, how they stood before, and what their games say of them."""
        field, deviation = field_of(results, len(ratings)), self._deviation(ratings)
        before = Entrants(
            ratings.value, deviation, deviation * deviation, self.volatility_of(ratings)
        )
        side = self.settings.side_advantage
        return field, before, field.weigh(before.value, before.variance, side=side, by_row=by_row)

    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        field, before, told = self.weigh_games(ratings, results, by_row=True)
        rated = self._rate_above_floor(before, told, field)
        changes = field.explain(told, rated.variance, before.value, rated.value)
        changes = self._completed_changes(changes, ratings, rated.variance * Q)
        return self._put(ratings, before, rated, field, all_count=all_count), changes

    def rate_event_summed(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Sums]:
        """Of a large period a third of the time: a dozen columns for each game need not be made."""
        field, before, told = self.weigh_games(ratings, results, by_row=True)
        assert told.expected is not None and told.slope is not None  # noqa: S101, PT018 - asked for
        rated = self._rate_above_floor(before, told, field)
        sums = Sums(
            expected=field.sum(told.expected),
            actual=field.sum(field.actual),
            weight=rated.variance * field.sum(told.slope) / np.maximum(field.played, 1),
            status_before=self.status(ratings),
            worth=rated.variance * Q,
        )
        return self._put(ratings, before, rated, field, all_count=all_count), sums

    def explain_games(self, ratings: Ratings, results: Results, worth: Floats) -> Changes:
        """E needs only those who met, and of all other games the weight only RD'²."""
        field, before, told = self.weigh_games(ratings, results, by_row=True)
        changes = field.explain(told, worth / Q, before.value, before.value)
        return self._completed_changes(changes, ratings, worth)

    def _completed_changes(self, changes: Changes, ratings: Ratings, worth: Floats) -> Changes:
        player = changes.player
        status = self.status(ratings)[player]
        return replace(changes, status_before=status, worth=worth[player])

    def expected(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Floats:
        """Two-sided: both deviations enter through g(√(RD_i² + RD_j²))."""
        a, b = np.asarray(first), np.asarray(second)
        deviation = self._deviation(ratings)
        g = attenuation(np.sqrt(deviation[a] * deviation[a] + deviation[b] * deviation[b]))
        lead = self.settings.side_advantage * np.asarray(side, dtype=np.float64)
        with np.errstate(over="ignore"):  # an infinite difference is sure to win
            decades = (ratings.value[a] - ratings.value[b] + lead) * g / 400
        return logistic(decades.ravel()).reshape(decades.shape)

    def expected_of(self, ratings: Ratings, contests: Contests) -> Floats:
        """Two-sided too: the deviations of both means enter."""
        contests.check_players(len(ratings))
        teams, deviation = ContestTeams.of(contests), self._deviation(ratings)
        variance = deviation * deviation
        return expect_teams(teams, ratings.value[teams.player], variance[teams.player])

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

    def _completed(self, ratings: Ratings) -> Ratings:
        """With the volatility that the system takes them to have, if any."""
        return ratings.with_columns(volatility=self.volatility_of(ratings))

    def _rate_above_floor(self, before: Entrants, told: Told, field: Field) -> Rated:
        rated, floor = self.rate_players(before, told.evidence, field), self.settings.floor
        if np.min(rated.value, initial=floor) >= floor:  # as nearly always: nothing is written
            return rated
        above = np.where(field.played > 0, np.maximum(rated.value, floor), rated.value)
        return replace(rated, value=above)

    def _put(
        self, ratings: Ratings, before: Entrants, rated: Rated, field: Field, *, all_count: bool
    ) -> Ratings:
        """The ratings after the period; whoever did not play keeps what there was.

        `rated.variance` and what the field counted are used up.
        """
        given, deviation = ratings.deviation_for("Glicko"), rated.variance
        deviation = self._within(np.sqrt(deviation, out=deviation))
        if before.deviation is not given:  # somebody is beyond the floor or the ceiling
            idle = np.flatnonzero(field.played == 0)
            deviation[idle] = given[idle]
        # Games against opponents who were established before the period.
        counted = ratings.counted
        if all_count:
            counted = counted + field.played
        elif (is_established := self._has_enough(ratings)).any():
            is_established &= self._is_sure(before.deviation)
            counted = counted + field.count_against(is_established)
        games = field.played
        games += ratings.games
        return ratings.with_columns(
            value=rated.value,
            deviation=deviation,
            volatility=rated.volatility,
            games=games,
            counted=counted,
        )

    def _deviation(self, ratings: Ratings) -> Floats:
        return self._within(ratings.deviation_for("Glicko"))

    def _within(self, deviation: Floats) -> Floats:
        """Between the floor and the ceiling, which an operator may have moved since.

        The same array where nothing is beyond them: to look is cheaper than to write.
        """
        low, high = self.settings.deviation_min, self.settings.deviation_max
        if np.min(deviation, initial=high) >= low and np.max(deviation, initial=low) <= high:
            return deviation
        return np.clip(deviation, low, high)
