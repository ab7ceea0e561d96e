"""Results of games of one against one as arrays."""

from dataclasses import dataclass, field

import numpy as np

from ratings.systems.arrays import Floats, Ints

__all__ = ["Duels"]


@dataclass(frozen=True, slots=True, eq=False)
class Duels:
    """m games of one player against one; every array has length m.

    first, second  int64, positions of the players in the `Ratings` they are rated with
    score          float64, of first: 1 win, 0.5 draw, 0 loss (anything between is allowed)
    side           float64, who plays the better side (white, at home): 1 first, -1 second, 0 neither;
                   None: nobody in any game
    points         float64, shape (m, 2), what first and second counted in the game (frags, goals);
                   None where it is not known
    highest        the highest position named, -1 without games

    Raises ValueError when lengths differ, a position is negative, a player meets themselves, a
    score is outside 0..1, a side outside -1..1, or points are not finite.
    """

    first: Ints
    second: Ints
    score: Floats
    side: Floats | None = None
    points: Floats | None = None
    highest: int = field(init=False)

    def __post_init__(self) -> None:
        first, highest_first = _positions("first", self.first)
        second, highest_second = _positions("second", self.second)
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "second", second)
        object.__setattr__(self, "highest", max(highest_first, highest_second))
        object.__setattr__(self, "score", np.asarray(self.score, dtype=np.float64))
        if not (self.first.shape == self.second.shape == self.score.shape) or self.score.ndim != 1:
            raise ValueError(
                f"first, second and score have shapes {self.first.shape}, {self.second.shape}, "
                f"{self.score.shape}: must be one-dimensional and equally long"
            )
        if (same := np.flatnonzero(self.first == self.second)).size:
            game = same[0]
            raise ValueError(f"game {game}: player {self.first[game]} cannot meet themselves")
        # Written so that NaN fails too.
        if not (fair := (self.score >= 0) & (self.score <= 1)).all():
            game = np.flatnonzero(~fair)[0]
            raise ValueError(f"game {game}: score {self.score[game]} must be from 0 to 1")
        games = len(self)
        if self.side is not None:
            side = np.asarray(self.side, dtype=np.float64)
            if side.shape != (games,) or not (np.abs(side) <= 1).all():
                raise ValueError(f"side has shape {side.shape}: must be ({games},), from -1 to 1")
            object.__setattr__(self, "side", side)
        if self.points is not None:
            points = np.asarray(self.points, dtype=np.float64)
            if points.shape != (games, 2) or not np.isfinite(points).all():
                raise ValueError(
                    f"points has shape {points.shape}: must be ({games}, 2), and finite"
                )
            object.__setattr__(self, "points", points)

    def __len__(self) -> int:
        return len(self.score)

    def part(self, start: int, stop: int) -> "Duels":
        """The games at these indexes, as views."""
        stretch = slice(start, stop)
        return Duels(
            self.first[stretch],
            self.second[stretch],
            self.score[stretch],
            None if self.side is None else self.side[stretch],
            None if self.points is None else self.points[stretch],
        )

    def check_players(self, n: int) -> None:
        """Raise ValueError when a game names a player beyond the n that are rated."""
        if self.highest >= n:
            raise ValueError(
                f"a game names player {self.highest}: must be below {n}, the players rated"
            )


def _positions(name: str, given: Ints) -> tuple[Ints, int]:
    """The positions, and the highest of them; -1 where there are none."""
    array = np.asarray(given)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} is of type {array.dtype}: must be whole positions of players")
    positions = array.astype(np.int64, copy=False)
    if not positions.size:
        return positions, -1
    # Without their sign negative numbers are the largest: one look finds them and the highest.
    highest = int(positions.view(np.uint64).max())
    if highest >= 1 << 63:
        raise ValueError(f"{name} holds {positions.min()}: positions start at 0")
    return positions, highest
