"""Why ratings changed: one row for each player of each game."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ratings.systems.arrays import Floats, Ints, Statuses
from ratings.systems.results import Duels

__all__ = ["Changes", "Sides", "Sums", "interleave"]

T = TypeVar("T", np.int64, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """One row for each player of each game.

    Of m `Duels` 2m rows: row 2g is the first player of game g, row 2g + 1 the second. Of
    `Contests` a row for each of theirs, in their order.

    game          int64, position in the `Duels` or `Contests`
    player        int64, position in the `Ratings`
    opponent      int64, position in the `Ratings`; -1 where there are several
    expected      float64, 0..1, the score the system expected of player; with several other teams
                  the mean of the scores expected against each
    actual        float64, 0..1, the score reached, or that mean of 1, ½ and 0
    weight        float64, rating points a full surprise is worth: K, or Glicko's
                  q / (1/RD² + 1/d²) · g(RD_opponent); of TrueSkill, which is not linear, and of
                  Glicko with several other teams, contribution / (actual - expected), or its gain
                  where these are equal
    contribution  float64, rating points: weight · (actual - expected). A player's rows of one
                  event add up to the change of value.
    value_before  float64, rating points before the event (a period, or the one game of an
                  instant ladder)
    value_after   float64, rating points after that event
    status_before int8, the player's `Status` before that event
    worth         float64, rating points that a full surprise against an opponent of whom all is
                  known is worth to the player after the event: q RD'² of Glicko, from which with the
                  ratings before the event the weight of any single game follows; else None
    deviation_before, deviation_after
                  float64, rating points, before and after the event: of systems that run at once
                  and have deviations, for nobody could tell them apart later; None of the others
    """

    game: Ints
    player: Ints
    opponent: Ints
    expected: Floats
    actual: Floats
    weight: Floats
    contribution: Floats
    value_before: Floats
    value_after: Floats
    status_before: Statuses
    deviation_before: Floats | None = None
    deviation_after: Floats | None = None
    worth: Floats | None = None

    def __len__(self) -> int:
        return len(self.game)


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Why ratings changed, all games of an event together: every array has length n, a row for each player rated.

    Of who did not play, what is here says nothing.

    expected, actual  float64, as in `Changes`, summed up over a player's games
    weight            float64, its mean over them
    status_before     int8, the player's `Status` before the event
    worth             float64, as in `Changes`; None where those have none
    """

    expected: Floats
    actual: Floats
    weight: Floats
    status_before: Statuses
    worth: Floats | None = None

    @classmethod
    def of(cls, changes: Changes, n: int) -> "Sums":
        """Sum up what is known game by game."""
        games = np.maximum(np.bincount(changes.player, minlength=n), 1)
        status, worth = np.zeros(n, dtype=np.int8), None
        # The same in all of a player's rows.
        status[changes.player] = changes.status_before
        if changes.worth is not None:
            worth = np.zeros(n)
            worth[changes.player] = changes.worth
        expected, actual, weight = (
            np.bincount(changes.player, column, n).astype(np.float64, copy=False)
            for column in (changes.expected, changes.actual, changes.weight)
        )
        return cls(expected, actual, weight / games, status, worth)


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The m games seen from each side: 2m rows in the order of `Changes`."""

    game: Ints
    player: Ints
    opponent: Ints
    actual: Floats

    @classmethod
    def of(cls, duels: Duels) -> "Sides":
        return cls(
            np.repeat(np.arange(len(duels), dtype=np.int64), 2),
            interleave(duels.first, duels.second),
            interleave(duels.second, duels.first),
            interleave(duels.score, 1.0 - duels.score),
        )

    def explain(
        self, expected: Floats, weight: Floats, before: Floats, after: Floats, status: Statuses
    ) -> Changes:
        """Join the games to what was computed for them, row by row."""
        contribution = weight * (self.actual - expected)
        return Changes(
            game=self.game,
            player=self.player,
            opponent=self.opponent,
            expected=expected,
            actual=self.actual,
            weight=weight,
            contribution=contribution,
            value_before=before,
            value_after=after,
            status_before=status,
        )


def interleave(first: NDArray[T], second: NDArray[T]) -> NDArray[T]:
    """Row 2g from first[g], row 2g + 1 from second[g]."""
    rows = np.empty(2 * len(first), dtype=first.dtype)
    rows[0::2], rows[1::2] = first, second
    return rows
