"""TrueSkill as a rating system."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Ints, Statuses
from ratings.systems.base import Results, System
from ratings.systems.changes import Changes, Sides
from ratings.systems.contests import Contests
from ratings.systems.counting import elapsed, longest_growth, periods_of_growth
from ratings.systems.declaration import Declaration
from ratings.systems.state import Ratings, Status, status_by_games
from ratings.systems.trueskill.contest_games import ContestGames
from ratings.systems.trueskill.declaration import TRUESKILL
from ratings.systems.trueskill.event import play_event
from ratings.systems.trueskill.games import DuelGames, Games
from ratings.systems.trueskill.parameters import TrueSkillParameters
from ratings.systems.trueskill.prediction import expect, margin_per_root
from ratings.systems.trueskill.stream import Stream
from ratings.systems.trueskill.table import Table, TrueSkillJournal
from ratings.systems.trueskill.two_teams import FURTHEST

__all__ = ["TrueSkill", "conservative", "explain"]

# A surprise smaller than this is too small to divide by.
_NO_SURPRISE = 1e-9


def conservative(ratings: Ratings) -> Floats:
    """μ - 3σ: what a player's skill is above, as good as surely. Boards are ranked by it."""
    return ratings.value - 3 * ratings.deviation_for("TrueSkill")


@dataclass(frozen=True, slots=True)
class TrueSkill(System):
    """`System` of TrueSkill (Herbrich, Minka and Graepel 2007): skill is normal, N(μ, σ²).

    Instant (`rate`) or by period (`rate_event`). `Duels` are won, drawn or lost as their score is
    above, at or below one half. Teams are sums of their members; who was there for a part of the game
    moves less, and a seat that stood empty counts as theirs (`partial_play`). Of tied teams those that
    are next to each other in the results are compared.
    In batches of other sizes the ratings are the same to 1e-12 of their size: `erfcx` is C's.
    """

    settings: TrueSkillParameters

    declaration: ClassVar[Declaration] = TRUESKILL

    def age(self, ratings: Ratings, periods: ArrayLike) -> Ratings:
        """σ = min(√(σ² + growth² t), σ of a new player); growth is 0 unless somebody sets it."""
        time, highest = elapsed(periods, len(ratings)), self.settings.deviation_start
        before, growth = self._deviation(ratings), self.settings.growth
        time = np.minimum(time, longest_growth(growth, highest))
        grown = np.minimum(np.sqrt(before * before + growth * growth * time), highest)
        return replace(ratings.copy(), deviation=np.maximum(before, grown))

    def rate(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        return self._rate(ratings, self._games(ratings, results), all_count, None)

    def rate_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        games = self._games(ratings, results)
        journal = TrueSkillJournal.blank(len(games.players))
        after = self._rate(ratings, games, all_count, journal)
        return after, explain(games.sides(), journal, journal.value_after - journal.value_before)

    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        """What every game alone tells, from the ratings before, is added up (see `event`)."""
        games = self._games(ratings, results)
        event = play_event(self.settings, self._table(ratings), games)
        counting = np.bincount(games.players, event.faced | all_count, len(ratings))
        counted = ratings.counted + counting.astype(np.int64)
        after = _join(ratings, games, event.value, event.deviation, counted)
        return after, explain(games.sides(), event.journal, event.moved)

    def expected(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Floats:
        """The probability of winning and half that of drawing, from both deviations."""
        a, b = np.asarray(first), np.asarray(second)
        table, beta = self._table(ratings), self.settings.beta
        variance = table.deviation[a] ** 2 + table.deviation[b] ** 2 + 2 * beta * beta
        margin = np.asarray(margin_per_root(self.settings) * np.sqrt(2.0))
        return expect(table.value[a] - table.value[b], variance, margin)

    def expected_of(self, ratings: Ratings, contests: Contests) -> Floats:
        """Of each row's team the mean over the other teams of what `expected` is for two."""
        contests.check_players(len(ratings))
        games, table = ContestGames(self.settings, contests), self._table(ratings)
        expected = np.empty(len(contests.player))
        for picked in games.pick(np.arange(len(contests))):
            variance = table.deviation[picked.players] ** 2
            expected[picked.rows] = picked.expect(table.value[picked.players], variance)[0]
        return expected

    def status(self, ratings: Ratings) -> Statuses:
        """Established by games, but provisional while the deviation is above the threshold."""
        status = status_by_games(ratings.games, ratings.counted, self.settings.established_after)
        is_vague = self._deviation(ratings) > self.settings.provisional_deviation
        status[is_vague & (status == Status.ESTABLISHED)] = Status.PROVISIONAL
        return status

    def periods_until(
        self, deviation: ArrayLike, threshold: float, volatility: ArrayLike | None = None
    ) -> Floats:
        """Never beyond the deviation of a new player, or where growth is 0."""
        settings = self.settings
        return periods_of_growth(
            deviation, threshold, growth=settings.growth, highest=settings.deviation_start
        )

    def _rate(
        self, ratings: Ratings, games: Games, all_count: bool, journal: TrueSkillJournal | None
    ) -> Ratings:
        table = self._table(ratings)
        Stream(self.settings, table, games, all_count=all_count, journal=journal).play()
        return _join(ratings, games, table.value, table.deviation, table.counted)

    def _games(self, ratings: Ratings, results: Results) -> Games:
        results.check_players(len(ratings))
        if isinstance(results, Contests):
            return ContestGames(self.settings, results)
        return DuelGames(self.settings, results)

    def _table(self, ratings: Ratings) -> Table:
        # Numbers so large that sums and squares of them would not be finite count as less.
        value = np.clip(ratings.value, -FURTHEST, FURTHEST)
        return Table(value, self._deviation(ratings), ratings.counted.copy(), ratings.games == 0)

    def _deviation(self, ratings: Ratings) -> Floats:
        """Not below the floor, which an operator may have moved since."""
        return np.clip(ratings.deviation_for("TrueSkill"), self.settings.deviation_min, FURTHEST)


def _join(
    ratings: Ratings, games: Games, value: Floats, deviation: Floats, counted: Ints
) -> Ratings:
    """The figures of those who played; the others keep what they had, to the bit."""
    played = games.count(len(ratings))
    return Ratings(
        np.where(played > 0, value, ratings.value),
        np.where(played > 0, deviation, ratings.deviation_for("TrueSkill")),
        None,
        ratings.games + played,
        counted,
    )


def explain(sides: Sides, journal: TrueSkillJournal, moved: Floats) -> Changes:
    """Join the rows to what they did; `moved` is in points.

    TrueSkill is not linear in the surprise: the weight is what the points come to for a full one.
    """
    surprise = sides.actual - journal.expected
    is_small = np.abs(surprise) < _NO_SURPRISE
    return Changes(
        game=sides.game,
        player=sides.player,
        opponent=sides.opponent,
        expected=journal.expected,
        actual=sides.actual,
        weight=np.where(is_small, journal.gain, moved / np.where(is_small, 1.0, surprise)),
        contribution=moved,
        value_before=journal.value_before,
        value_after=journal.value_after,
        status_before=journal.status_before,
        deviation_before=journal.deviation_before,
        deviation_after=journal.deviation_after,
    )
