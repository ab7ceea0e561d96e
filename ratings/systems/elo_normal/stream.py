"""Games one after the other under normal performances, as `waves` wants them.

`ndtr` serves arrays and single numbers alike, so both ways give the same bits on one machine.
"""

from collections.abc import Iterable

import numpy as np
import scipy  # loads its parts when they are first used: most processes use none

from ratings.systems.arrays import Ints
from ratings.systems.elo_normal.parameters import EloNormalParameters
from ratings.systems.points import DuelStream, Game, Played, Running, statuses

__all__ = ["EloNormalStream"]


class EloNormalStream(DuelStream[EloNormalParameters]):
    """Sides are not looked at."""

    def play_wave(self, games: Ints, players: Ints) -> None:
        table, weight = self.table, self.parameters.weight
        before, progress = table.value.take(players), table.progress.take(players)
        status = statuses(progress, self.parameters.established_after)
        expected = scipy.special.ndtr((before[0] - before[1]) * self.parameters.per_point)
        points = weight * (self.score.take(games) - expected)
        after = np.stack((before[0] + points, before[1] - points))
        np.maximum(after, self.parameters.floor, out=after)
        table.value[players] = after
        table.count(players, progress, status, all_count=self.all_count)
        if self.journal is not None:
            sides = np.stack((expected, 1.0 - expected))
            figures = np.stack((before, sides, np.full_like(before, weight), after))
            self.journal.write(games, figures, status)

    def play_in_order(
        self, running: Running, games: Iterable[Game], log: list[Played] | None
    ) -> None:
        value, progress = running
        needed, weight = self.parameters.established_after, self.parameters.weight
        per_point, floor = self.parameters.per_point, self.parameters.floor
        for a, b, reached, _side in games:
            own, other = progress[a], progress[b]
            status, rival = (own >= 0) + (own >= needed), (other >= 0) + (other >= needed)
            first, second = value[a], value[b]
            expected = float(scipy.special.ndtr((first - second) * per_point))
            points = weight * (reached - expected)
            after = max(first + points, floor), max(second - points, floor)
            value[a], value[b] = after
            if log is not None:
                chances = expected, 1.0 - expected
                log.append((first, second, *chances, weight, weight, *after, status, rival))
            progress[a] = (own if status else ~own) + (self.all_count or rival == 2)
            progress[b] = (other if rival else ~other) + (self.all_count or status == 2)
