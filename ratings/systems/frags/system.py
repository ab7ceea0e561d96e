"""The shooter ladder as a rating system."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.base import Results, only_duels
from ratings.systems.changes import Changes, Sides
from ratings.systems.counting import count_games, elapsed
from ratings.systems.declaration import Declaration
from ratings.systems.frags.declaration import FRAGS
from ratings.systems.frags.game import strength_of_play
from ratings.systems.frags.parameters import FragsParameters
from ratings.systems.frags.stream import FragsStream
from ratings.systems.logistic import expected_score, logistic
from ratings.systems.points import DuelJournal, DuelSystem, points_ahead
from ratings.systems.results import Duels
from ratings.systems.state import Ratings

__all__ = ["Frags"]


@dataclass(frozen=True, slots=True)
class Frags(DuelSystem):
    """`System` of duels by frags: g' = max(0, g + K (e - w)), e the share of the frags made.

    Instant (`rate`) or by period (`rate_event`). Reads `points` of `Duels`; the score is not
    looked at: one may win a duel and still lose points. The floor breaks the zero sum.
    A rating below 0, which the system never gives, is read as 0.
    """

    settings: FragsParameters

    declaration: ClassVar[Declaration] = FRAGS
    stream: ClassVar[type[FragsStream]] = FragsStream

    def age(self, ratings: Ratings, periods: ArrayLike) -> Ratings:
        """Unchanged: there is no deviation that could grow."""
        elapsed(periods, len(ratings))
        return ratings.copy()

    def duels_of(self, results: Results) -> Duels:
        """With the strength of play for their score: expected and reached are shares of the frags."""
        duels = only_duels(results, system=self.name)
        if duels.points is None:
            raise ValueError("these duels have no points: frags needs the frags of both players")
        return replace(duels, score=strength_of_play(duels.points))

    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        duels = self.duels_of(results)
        duels.check_players(len(ratings))
        status = self.status(ratings)
        changes = rate_at_once(self.settings, _above_floor(ratings), status, duels)
        value = ratings.value.copy()
        value[changes.player] = changes.value_after
        games, counted = count_games(ratings, duels, status, all_count=all_count)
        return Ratings(value, None, None, games, counted), changes

    def expected(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Floats:
        """The share of the frags expected of `first`: no chance of winning the duel."""
        ahead = points_ahead(_above_floor(ratings), first, second)
        return expected_score(ahead, class_interval=self.settings.scale / 2)

    def _play(
        self, ratings: Ratings, duels: Duels, all_count: bool, journal: DuelJournal | None
    ) -> Ratings:
        above = replace(ratings, value=_above_floor(ratings))
        # Not super(): a dataclass with slots is another class than the one it names.
        after = DuelSystem._play(self, above, duels, all_count, journal)
        has_played = after.games > ratings.games
        return replace(after, value=np.where(has_played, after.value, ratings.value))


def _above_floor(ratings: Ratings) -> Floats:
    return np.maximum(ratings.value, 0.0)


def rate_at_once(
    parameters: FragsParameters, value: Floats, status: Statuses, duels: Duels
) -> Changes:
    """Rate duels whose score is the strength of play; `value` and `status` are those before.

    g' = max(0, g + K Σ (e - w)). Where the floor keeps some of the losses, each loss shrinks alike.
    """
    sides = Sides.of(duels)
    before = value[sides.player]
    with np.errstate(over="ignore"):  # an infinite difference is sure to win
        ahead = before - value[sides.opponent]
    expected = logistic(ahead * (1 / parameters.scale))
    points = parameters.k * (sides.actual - expected)
    won, lost = (
        np.bincount(sides.player, weights=part, minlength=len(value)).astype(float)
        for part in (np.maximum(points, 0.0), np.maximum(-points, 0.0))
    )
    # The share of each player's losses that the floor leaves to be taken.
    most = value + won
    is_cut = lost > most
    kept = np.where(is_cut, most, 1.0) / np.where(is_cut, lost, 1.0)
    after = np.maximum(most - lost, 0.0)
    weight = parameters.k * np.where(points < 0, kept[sides.player], 1.0)
    return sides.explain(expected, weight, before, after[sides.player], status[sides.player])
