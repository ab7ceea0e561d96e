"""Elo games one after the other, as `waves` wants them."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ratings.systems.arrays import Floats, Ints
from ratings.systems.elo.game import play_in_order, rate_games, rate_plainly
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.weights import k_of_statuses
from ratings.systems.points import DuelStream, Game, Played, Running, statuses

__all__ = ["EloStream"]


class EloStream(DuelStream[EloParameters]):
    """Sides are looked at only where they are worth something."""

    def __init__(self, parameters: EloParameters, *args: Any, **kwargs: Any) -> None:
        super().__init__(parameters, *args, **kwargs)
        self.curve = parameters.curve
        self.k_by_status = np.array(k_of_statuses(parameters))
        self.side = self.side if self.curve.advantage else None

    def play_wave(self, games: Ints, players: Ints) -> None:
        table, parameters = self.table, self.parameters
        before, progress = table.value.take(players), table.progress.take(players)
        status = statuses(progress, parameters.established_after)
        side: Floats | None = None if self.side is None else self.side.take(games)
        results = self.score.take(games), side
        if self.journal is None and parameters.k_by_rating == "none":
            rate_plainly(self.k_by_status, self.curve, before, status, results, parameters.floor)
            after = before
        else:
            expected, k, after = rate_games(parameters, self.curve, before, status, results)
        table.value[players] = after
        table.count(players, progress, status, all_count=self.all_count)
        if self.journal is not None:
            self.journal.write(games, np.stack((before, expected, k, after)), status)

    def play_in_order(
        self, running: Running, games: Iterable[Game], log: list[Played] | None
    ) -> None:
        play_in_order(self.parameters, running, games, all_count=self.all_count, log=log)
