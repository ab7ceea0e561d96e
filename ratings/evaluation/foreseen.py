"""Predictions one step ahead: each game as it was expected from what was known before it."""

from dataclasses import dataclass

import numpy as np

from ratings.evaluation.prediction_metrics import Report
from ratings.systems.arrays import Floats, Ints

__all__ = ["Foreseen"]


@dataclass(frozen=True, slots=True, eq=False)
class Foreseen:
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

    def later(self, share: float) -> "Foreseen":
        """Those of the games after the first `share`, as `Played.first` counts them."""
        left_out = int(self.games * share)
        row = int(np.searchsorted(self.game, left_out))
        return Foreseen(
            self.game[row:] - left_out,
            self.predicted[row:],
            self.actual[row:],
            self.games - left_out,
            self.in_pairs,
        )

    def report(self, *, bins: int = 10) -> Report:
        """How well they came true."""
        return Report.of(self.predicted, self.actual, bins=bins)
