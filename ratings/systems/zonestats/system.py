"""ZoneStats as a rating system."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats
from ratings.systems.base import Results
from ratings.systems.changes import Changes
from ratings.systems.contest_journal import ContestJournal
from ratings.systems.contests import Contests
from ratings.systems.declaration import Declaration
from ratings.systems.points import PointsSystem
from ratings.systems.results import Duels
from ratings.systems.state import Ratings
from ratings.systems.zonestats.declaration import ZONESTATS
from ratings.systems.zonestats.field import Field
from ratings.systems.zonestats.pairs import expect, pairs_of
from ratings.systems.zonestats.parameters import ZoneStatsParameters
from ratings.systems.zonestats.play import play

__all__ = ["ZoneStats", "expect_teams"]


@dataclass(frozen=True, slots=True)
class ZoneStats(PointsSystem):
    """`System` of ZoneStats: scores per hour compared pair by pair, worth as much as the minutes.

    Instant (`rate`) or by period (`rate_event`). Reads `score` and `minutes` of `Contests`; `rank`
    and `weight` are not looked at. Whoever has 0 minutes, or met nobody, played no game. Zero-sum
    within each contest, but for what the floor keeps.
    """

    settings: ZoneStatsParameters

    declaration: ClassVar[Declaration] = ZONESTATS

    def rate(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        contests = _check(results, len(ratings))
        return play(self.settings, ratings, contests, at_once=False, all_count=all_count)

    def rate_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        """`expected` and `actual` are means over opponents, by the minutes against each."""
        return self._explained(ratings, results, at_once=False, all_count=all_count)

    def rate_event(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        contests = _check(results, len(ratings))
        return play(self.settings, ratings, contests, at_once=True, all_count=all_count)

    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        return self._explained(ratings, results, at_once=True, all_count=all_count)

    def _explained(
        self, ratings: Ratings, results: Results, **how: bool
    ) -> tuple[Ratings, Changes]:
        contests = _check(results, len(ratings))
        journal = ContestJournal.blank(len(contests.player))
        after = play(self.settings, ratings, contests, **how, journal=journal)
        return after, journal.explain(contests)

    def expected(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Floats:
        own, other = ratings.value[np.asarray(first)], ratings.value[np.asarray(second)]
        return expect(self.settings, own.ravel(), other.ravel()).reshape(own.shape)

    def expected_of(self, ratings: Ratings, contests: Contests) -> Floats:
        """Of two teams: how often a member of one is expected to beat one of the other."""
        contests.check_players(len(ratings))
        return expect_teams(self.settings, ratings.value[contests.player], contests)


def _check(results: Results, n: int) -> Contests:
    if isinstance(results, Duels):
        raise ValueError(
            "Duels have no minutes: zonestats rates Contests with score and minutes, of two as well"
        )
    results.check_players(n)
    return results


def expect_teams(parameters: ZoneStatsParameters, value: Floats, contests: Contests) -> Floats:
    """Of each row the score expected of its team: the mean over the other teams.

    Against one team it is the mean of P over all pairs of members. `value` is of each row.
    """
    nothing = np.zeros(len(value))
    field = Field(contests.starts, contests.team, contests.player, nothing, nothing)
    if not len(field):
        return nothing
    is_first = np.diff(contests.contest, prepend=-1) != 0
    side = np.cumsum(is_first | (np.diff(contests.team, prepend=-1) != 0)) - 1
    members = np.bincount(side)[side]
    others = np.maximum.reduceat(contests.team, field.starts[:-1])[contests.contest]
    means = np.empty(len(value))
    for pairs in pairs_of(field):
        chance = expect(parameters, value[pairs.own], value[pairs.other])
        share = pairs.opposed / members[pairs.other]
        means[pairs.low : pairs.high] = pairs.total(chance * share)
    of_side: Floats = np.bincount(side, weights=means / others / members).astype(float)
    predicted: Floats = of_side[side]
    return predicted
