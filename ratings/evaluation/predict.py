"""Runs of a rating system over games, predicting each before it is rated.

The rules are those of a ladder: periods count from the first game; deviations grow from the start of the
period a rating was computed for; while fewer than `pool_minimum` players are established, every game counts
towards it; ratings drift at the end of each period, without periods every so many days from the first game's midnight.
"""

from dataclasses import dataclass, replace

import numpy as np

from ratings.evaluation.pairs import Pairs, pairs_of
from ratings.evaluation.period_games import PeriodGames, period_numbers, periods_of
from ratings.evaluation.played_games import Played
from ratings.evaluation.prediction_metrics import Report
from ratings.systems import Changes, Contests, Duels, Ratings, Status, System
from ratings.systems.arrays import Floats, Ints

__all__ = ["POOL_STEP", "GamePredictions", "RunningRatings", "Schedule"]

# An instant ladder looks at its pool before every so many games.
POOL_STEP = 100


@dataclass(frozen=True, slots=True, eq=False)
class GamePredictions:
    """What was expected of games, or of pairs of teams, and what came; every array has length p.

    game       int64, rising: which game of all, from 0
    predicted  float64, the score expected of the first player (or team), 0..1
    actual     float64, the score reached: 1, 0.5, 0
    games      how many games there are in all
    in_pairs   whether a row is a pair of teams; False where every game is one against one
    """

    game: Ints
    predicted: Floats
    actual: Floats
    games: int
    in_pairs: bool = False

    def __len__(self) -> int:
        return len(self.predicted)

    def later(self, share: float) -> "GamePredictions":
        """Those of the games after the first `share`, as `Played.first` counts them."""
        left_out = int(self.games * share)
        row = int(np.searchsorted(self.game, left_out))
        return GamePredictions(
            self.game[row:] - left_out,
            self.predicted[row:],
            self.actual[row:],
            self.games - left_out,
            self.in_pairs,
        )

    def report(self, *, bins: int = 10) -> Report:
        """How well they came true."""
        return Report.of(self.predicted, self.actual, bins=bins)


class Schedule:
    """Games laid out for runs with one length of period (None: each game at once).

    `played` must fit the systems that run over it (`Played.fit`).
    """

    def __init__(self, played: Played, period_days: float | None) -> None:
        self.played = played
        self.period_days = period_days
        self._periods: list[PeriodGames] | None = None
        self._pairs: Pairs | None = None

    def predict(
        self, system: System, *, pool_minimum: int = 20, drift_days: float = 7.0
    ) -> GamePredictions:
        """Predict every game one step ahead. Raises ValueError for a system that needs periods."""
        if not len(self.played):
            return self._predictions(np.empty(0))
        if self.period_days is None:
            if system.is_period:
                raise ValueError(f"{system.name} rates by period only: give the length of a period")
            return self._predictions(self._from_changes(system, pool_minimum, drift_days))
        # All games of a period are predicted from the ratings at its start.
        if self._periods is None:
            numbers = period_numbers(self.played.at, self.period_days)
            self._periods = periods_of(self.played.results, numbers)
        state, grown, found = RunningRatings(system, self.played.players), False, list[Floats]()
        over = 0
        for event in self._periods:
            state.let_drift(event.number - over)
            over = event.number
            if not grown:
                everybody = np.flatnonzero(state.columns["games"])
                ratings = state.take_aged(everybody, event.number)
                grown = has_grown(system, ratings, pool_minimum)
            before, results = state.take_aged(event.who, event.number), event.results
            if isinstance(results, Duels):
                side = 0.0 if results.side is None else results.side
                found.append(system.expected(before, results.first, results.second, side))
            else:
                pairs = event.pairs
                assert pairs is not None  # noqa: S101 - events of contests have pairs
                found.append(system.expected_of(before, pairs.contests)[pairs.heads])
            after = system.rate_event(before, results, all_count=not grown)
            state.put(event.who, after, event.number)
        return self._predictions(np.concatenate(found))

    def _from_changes(self, system: System, pool_minimum: int, drift_days: float) -> Floats:
        """Each game from the ratings just before it, which the system tells when it explains."""
        results = self.played.results
        state, found = system.initial(self.played.players), list[Changes]()
        # How many dates are over before each game, and the games before which that rises.
        dates = period_numbers(self.played.at, drift_days)
        if not system.drift:
            dates = np.zeros_like(dates)
        rises = np.flatnonzero(np.diff(dates)) + 1
        start, over, grown = 0, 0, False
        while start < len(results):
            state, over = drifted(system, state, int(dates[start]) - over), int(dates[start])
            if start % POOL_STEP == 0:
                grown = grown or has_grown(system, state, pool_minimum)
            stop = len(results) if grown else start - start % POOL_STEP + POOL_STEP
            following = np.searchsorted(rises, start, side="right")
            stop = min(stop, len(results), *rises[following : following + 1].tolist())
            part = results.part(start, stop)
            state, changes = system.rate_explained(state, part, all_count=not grown)
            found.append(changes)
            start = stop
        # All games at once: each row of the results is a player of its own.
        value = np.concatenate([changes.value_before for changes in found])
        known = [one for changes in found if (one := changes.deviation_before) is not None]
        before = Ratings.without_games(value, np.concatenate(known) if known else None)
        if isinstance(results, Duels):
            first = np.arange(0, len(before), 2)
            side = 0.0 if results.side is None else results.side
            return system.expected(before, first, first + 1, side)
        pairs = self._all_pairs(results)
        columns = {
            name: getattr(pairs.contests, name)
            for name in ("contest", "team", "rank", "weight", "score", "minutes")
        }
        contests = Contests(player=pairs.rows, **columns)
        return system.expected_of(before, contests)[pairs.heads]

    def _all_pairs(self, contests: Contests) -> Pairs:
        if self._pairs is None:
            self._pairs = pairs_of(contests)
        return self._pairs

    def _predictions(self, predicted: Floats) -> GamePredictions:
        results = self.played.results
        if isinstance(results, Duels):
            games = np.arange(len(results))
            return GamePredictions(games, predicted, results.score, len(results))
        pairs, in_pairs = self._all_pairs(results), len(results.contest) > 2 * len(results)
        return GamePredictions(pairs.contest, predicted, pairs.actual, len(results), in_pairs)


class RunningRatings:
    """The ratings of n players, and the period for which each was last computed."""

    def __init__(self, system: System, players: int) -> None:
        self.system = system
        new = system.initial(players)
        self.columns = {
            name: column
            for name in ("value", "deviation", "volatility", "games", "counted")
            if (column := getattr(new, name)) is not None
        }
        self.last: Ints = np.zeros(players, dtype=np.int64)

    def take(self, who: Ints) -> Ratings:
        """The ratings of some players as they were last computed."""
        taken = {name: column[who] for name, column in self.columns.items()}
        return Ratings(**{"deviation": None, "volatility": None, **taken})

    def take_aged(self, who: Ints, number: int) -> Ratings:
        """The ratings of some players as at the start of a period."""
        # A rating is as at the start of the period it was computed for; who is new does not age.
        idle = np.where(self.columns["games"][who] > 0, number - self.last[who], 0.0)
        return self.system.age(self.take(who), idle)

    def let_drift(self, dates: int) -> None:
        """Let time take or give what it does on so many dates, of everybody who has played."""
        has_played = self.columns["games"] > 0
        for _date in range(dates if self.system.drift else 0):
            value = self.columns["value"]
            self.columns["value"] = np.where(has_played, self.system.drift.apply(value), value)

    def put(self, who: Ints, after: Ratings, number: int) -> None:
        """Keep new ratings, computed for a period."""
        for name, column in self.columns.items():
            column[who] = getattr(after, name)
        # A period of Glicko-2 contains its own growth: its ratings are as at the end of it.
        self.last[who] = number + int(self.system.grows_in_play)


def drifted(system: System, ratings: Ratings, dates: int) -> Ratings:
    """The ratings after so many dates by which they drift; those of whoever has not played stay."""
    value = ratings.value
    for _date in range(dates if system.drift else 0):
        value = np.where(ratings.games > 0, system.drift.apply(value), value)
    return replace(ratings, value=value)


def has_grown(system: System, ratings: Ratings, minimum: int) -> bool:
    """Whether so many of these players are established."""
    if len(ratings) < minimum:
        return False
    return bool(np.count_nonzero(system.status(ratings) == Status.ESTABLISHED) >= minimum)
