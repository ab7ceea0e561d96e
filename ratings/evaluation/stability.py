"""How soon ratings settle, and how much those of established players swing. Pure: arrays in, figures out.

A *course* is what a ledger says of a group of players: n changes, oldest first, each by one game or by the games
of one rating period. Arrays of length n:

player   int64, any number that tells players apart
games    int64, games in the change, 1 or more
before   float64, rating points before it
after    float64, rating points after it

Without a player to judge by a figure is None. ValueError when lengths differ or numbers are not finite.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["WITHIN_POINTS", "Course", "Settling", "Swing", "settling", "swing"]

WITHIN_POINTS = 50.0


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """Changes of ratings, oldest first; see the module for the columns."""

    player: Ints
    games: Ints
    before: Floats
    after: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "player", np.asarray(self.player, dtype=np.int64))
        object.__setattr__(self, "games", np.asarray(self.games, dtype=np.int64))
        for name in ("before", "after"):
            column = np.asarray(getattr(self, name), dtype=np.float64)
            if not np.isfinite(column).all():
                raise ValueError(f"{name} holds NaN or infinity: every number must be finite")
            object.__setattr__(self, name, column)
        shapes = {c.shape for c in (self.player, self.games, self.before, self.after)}
        if len(shapes) > 1 or self.player.ndim != 1:
            raise ValueError(f"columns have shapes {sorted(shapes)}: must be equally long rows")
        if np.min(self.games, initial=1) < 1:
            raise ValueError(f"games holds {self.games.min()}: a change has 1 game or more")

    def __len__(self) -> int:
        return len(self.player)

    def take(self, rows: ArrayLike) -> "Course":
        """Some of the changes, in the order of `rows`: positions, or a mask."""
        chosen = np.asarray(rows)
        return Course(
            self.player[chosen], self.games[chosen], self.before[chosen], self.after[chosen]
        )


@dataclass(frozen=True, slots=True)
class Settling:
    """Median number of games until a rating had settled; of so many players."""

    median: float | None
    players: int


@dataclass(frozen=True, slots=True)
class Swing:
    """How much ratings move; all figures are None without a change to judge by.

    per_game    mean absolute change in rating points, by the games it took
    per_change  the same by the changes: equal to per_game where each game is a change of its own
    relative    per_game as a share of the spread (standard deviation) of the ratings before the changes, which
                makes systems of different scales comparable; None where there is no spread
    """

    per_game: float | None
    per_change: float | None
    relative: float | None
    players: int


def settling(course: Course, deviation: ArrayLike | None = None, *, at_least: int = 1) -> Settling:
    """Median over players of the games until the rating stays near where it ended.

    Near is within one deviation of the final rating: `deviation` has length n and is that after each change, of
    which the last of each player counts. Where a system has none, within 50 points. A player's rating has settled
    after the first game from which on it never was farther away again; games of one rating period come together.
    0 where it never was farther away, the start included. Only players with `at_least` games in the course count:
    after very few games every rating is still near its last.
    """
    within = None if deviation is None else np.asarray(deviation, dtype=np.float64)
    if within is not None and within.shape != course.player.shape:
        raise ValueError(f"deviation has shape {within.shape}: must be {course.player.shape}")
    if not len(course):
        return Settling(None, 0)
    order = np.argsort(course.player, kind="stable")
    changes = course.take(order)
    starts = np.flatnonzero(np.append(True, np.diff(changes.player) != 0))
    lengths = np.diff(starts, append=len(course))
    last = starts + lengths - 1
    margin = np.full(len(starts), WITHIN_POINTS) if within is None else within[order][last]
    final = changes.after[last]
    far = _is_far(changes.after, np.repeat(final, lengths), np.repeat(margin, lengths))
    total = np.cumsum(changes.games)
    played_before = total[starts] - changes.games[starts]
    # The change after the last one that left the rating far away; the last change is never far from itself.
    rows = np.where(far, np.arange(len(course)), -1)
    settles = np.maximum(np.maximum.reduceat(rows, starts) + 1, starts)
    begins_near = ~_is_far(changes.before[starts], final, margin)
    never_far = ~np.logical_or.reduceat(far, starts)
    needed = np.where(begins_near & never_far, 0, total[settles] - played_before)
    counting = needed[total[last] - played_before >= at_least]
    return Settling(float(np.median(counting)) if counting.size else None, len(counting))


def swing(course: Course) -> Swing:
    """Mean absolute change over the changes given: those of players who were established before them."""
    if not len(course):
        return Swing(None, None, None, 0)
    moved = np.abs(course.after - course.before)
    per_game = float(moved.sum() / course.games.sum())
    spread = float(np.std(course.before))
    return Swing(
        per_game=per_game,
        per_change=float(moved.mean()),
        relative=per_game / spread if spread > 0 else None,
        players=len(np.unique(course.player)),
    )


def _is_far(value: Floats, final: Floats, margin: Floats) -> Bools:
    far: Bools = np.abs(value - final) > margin
    return far
