"""Results of games as arrays."""

from dataclasses import dataclass

import numpy as np

from ratings.systems.arrays import Floats, Ints

__all__ = ["Duels"]


@dataclass(frozen=True, slots=True, eq=False)
class Duels:
    """m games of one player against one; every array has length m.

    first, second  int64, positions of the players in the `Ratings` they are rated with
    score          float64, of first: 1 win, 0.5 draw, 0 loss (anything between is allowed)

    Raises ValueError when lengths differ, a position is negative, a player meets themselves or a
    score is outside 0..1.
    """

    first: Ints
    second: Ints
    score: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", _positions("first", self.first))
        object.__setattr__(self, "second", _positions("second", self.second))
        object.__setattr__(self, "score", np.asarray(self.score, dtype=np.float64))
        if not (self.first.shape == self.second.shape == self.score.shape) or self.score.ndim != 1:
            raise ValueError(
                f"first, second and score have shapes {self.first.shape}, {self.second.shape}, "
                f"{self.score.shape}: must be one-dimensional and equally long"
            )
        self._check_values()

    def __len__(self) -> int:
        return len(self.score)

    def check_players(self, n: int) -> None:
        """Raise ValueError when a game names a player beyond the n that are rated."""
        highest = max(np.max(self.first, initial=-1), np.max(self.second, initial=-1))
        if highest >= n:
            raise ValueError(f"a game names player {highest}: must be below {n}, the players rated")

    def _check_values(self) -> None:
        if (same := np.flatnonzero(self.first == self.second)).size:
            game = same[0]
            raise ValueError(f"game {game}: player {self.first[game]} cannot meet themselves")
        # Written so that NaN fails too.
        if not (fair := (self.score >= 0) & (self.score <= 1)).all():
            game = np.flatnonzero(~fair)[0]
            raise ValueError(f"game {game}: score {self.score[game]} must be from 0 to 1")


def _positions(name: str, given: Ints) -> Ints:
    array = np.asarray(given)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} is of type {array.dtype}: must be whole positions of players")
    positions = array.astype(np.int64, copy=False)
    if np.min(positions, initial=0) < 0:
        raise ValueError(f"{name} holds {np.min(positions)}: positions start at 0")
    return positions
