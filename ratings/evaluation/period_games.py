"""Which games are rated together: the games of a period.

They are split once for many runs over the same games, as tuning needs them.
"""

from dataclasses import dataclass, replace

import numpy as np

from ratings.evaluation.pairs import Pairs, pairs_of
from ratings.systems import Contests, Duels
from ratings.systems.arrays import Ints

__all__ = ["DAY", "PeriodGames", "period_numbers", "periods_of"]

DAY = 86_400_000_000


@dataclass(frozen=True, slots=True, eq=False)
class PeriodGames:
    """The games of one period.

    number   of the period, the first is 0
    who      int64, the players in them, each once
    results  the games; players are positions in `who`
    pairs    each two teams of each game; None for duels
    """

    number: int
    who: Ints
    results: Duels | Contests
    pairs: Pairs | None


def period_numbers(at: Ints, period_days: float) -> Ints:
    """The period that each moment (microseconds, never falling) lies in, counted from 0.

    The first begins with the first game; those of a day and more at its midnight, as on a ladder.
    """
    length = round(period_days * DAY)
    start = at[0] - at[0] % DAY if length >= DAY else at[0]
    numbers: Ints = (at - start) // length
    return numbers


def periods_of(results: Duels | Contests, numbers: Ints) -> list[PeriodGames]:
    """One event for each period that has games."""
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    stops = np.append(starts, len(numbers))[1:]
    events = []
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        part, number = results.part(start, stop), int(numbers[start])
        if isinstance(part, Duels):
            players = np.stack((part.first, part.second))
            who, index = np.unique(players, return_inverse=True)
            first, second = index.reshape(players.shape)
            duels = Duels(first, second, part.score, part.side, part.points)
            events.append(PeriodGames(number, who, duels, None))
        else:
            who, index = np.unique(part.player, return_inverse=True)
            contests = replace(part, player=index)
            events.append(PeriodGames(number, who, contests, pairs_of(contests)))
    return events
