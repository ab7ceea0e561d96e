"""Runs of a rating system over games, predicting each before it is rated.

The rules are those of a ladder: periods count from the first game; deviations grow from the start of the
period a rating was computed for; while fewer than `pool_minimum` players are established, every game counts
towards it.
"""

import numpy as np

from ratings.evaluation.foreseen import Foreseen
from ratings.evaluation.pairs import Pairs, pairs_of
from ratings.evaluation.period_games import Event, period_numbers, periods_of
from ratings.evaluation.played_games import Played
from ratings.evaluation.state import State, has_grown
from ratings.systems import Changes, Contests, Duels, Ratings, System
from ratings.systems.arrays import Floats

__all__ = ["POOL_STEP", "Schedule"]

# An instant ladder looks at its pool before every so many games.
POOL_STEP = 100


class Schedule:
    """Games laid out for runs with one length of period (None: each game at once).

    `played` must fit the systems that run over it (`Played.fit`).
    """

    def __init__(self, played: Played, period_days: float | None) -> None:
        self.played = played
        self.period_days = period_days
        self._periods: list[Event] | None = None
        self._pairs: Pairs | None = None

    def foresee(self, system: System, *, pool_minimum: int = 20) -> Foreseen:
        """Predict every game one step ahead. Raises ValueError for a system that needs periods."""
        if not len(self.played):
            return self._foreseen(np.empty(0))
        if self.period_days is not None:
            return self._foreseen(self._by_period(system, pool_minimum))
        if system.is_period:
            raise ValueError(f"{system.name} rates by period only: give the length of a period")
        return self._foreseen(self._from_changes(system, pool_minimum))

    def _by_period(self, system: System, pool_minimum: int) -> Floats:
        """All games of a period from the ratings at its start."""
        if self._periods is None:
            numbers = period_numbers(self.played.at, self.period_days or 0.0)
            self._periods = periods_of(self.played.results, numbers)
        state, grown = State(system, self.played.players), False
        found = []
        for event in self._periods:
            grown = grown or has_grown(system, state.rated_aged(event.number), pool_minimum)
            before = state.take_aged(event.who, event.number)
            found.append(_expect(system, before, event))
            after = system.rate_event(before, event.results, all_count=not grown)
            state.put(event.who, after, event.number)
        return np.concatenate(found)

    def _from_changes(self, system: System, pool_minimum: int) -> Floats:
        """Each game from the ratings just before it, which the system tells when it explains."""
        results = self.played.results
        state, found = system.initial(self.played.players), list[Changes]()
        start, grown = 0, False
        while start < len(results):
            grown = grown or has_grown(system, state, pool_minimum)
            stop = len(results) if grown else min(start + POOL_STEP, len(results))
            part = results.part(start, stop)
            state, changes = system.rate_explained(state, part, all_count=not grown)
            found.append(changes)
            start = stop
        return self._expect_rows(system, _ratings_before(found))

    def _expect_rows(self, system: System, before: Ratings) -> Floats:
        """Predict all games at once: each row of the results is a player of its own."""
        results = self.played.results
        if isinstance(results, Duels):
            first = np.arange(0, len(before), 2)
            side = 0.0 if results.side is None else results.side
            return system.expected(before, first, first + 1, side)
        pairs = self._all_pairs(results)
        columns = {
            name: getattr(pairs.contests, name)
            for name in ("contest", "team", "rank", "weight", "score", "minutes")
        }
        apart = Contests(player=pairs.rows, **columns)
        return system.expected_of(before, apart)[pairs.heads]

    def _all_pairs(self, contests: Contests) -> Pairs:
        if self._pairs is None:
            self._pairs = pairs_of(contests)
        return self._pairs

    def _foreseen(self, predicted: Floats) -> Foreseen:
        results = self.played.results
        if isinstance(results, Duels):
            games = np.arange(len(results))
            return Foreseen(games, predicted, results.score, len(results))
        pairs, in_pairs = self._all_pairs(results), len(results.contest) > 2 * len(results)
        return Foreseen(pairs.contest, predicted, pairs.actual, len(results), in_pairs)


def _expect(system: System, before: Ratings, event: Event) -> Floats:
    """The scores expected of the first players, or of the first team of each pair."""
    results, pairs = event.results, event.pairs
    if pairs is None and isinstance(results, Duels):
        side = 0.0 if results.side is None else results.side
        return system.expected(before, results.first, results.second, side)
    assert pairs is not None  # noqa: S101 - events of contests have pairs
    return system.expected_of(before, pairs.contests)[pairs.heads]


def _ratings_before(found: list[Changes]) -> Ratings:
    """The ratings just before each game, row by row. No prediction asks for games or volatility."""
    value = np.concatenate([changes.value_before for changes in found])
    deviation = [part for changes in found if (part := changes.deviation_before) is not None]
    nothing = np.zeros(len(value), dtype=np.int64)
    return Ratings(value, np.concatenate(deviation) if deviation else None, None, nothing, nothing)
