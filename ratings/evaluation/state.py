"""Ratings of everybody while games are played, written in place."""

import numpy as np

from ratings.systems import Ratings, Status, System
from ratings.systems.arrays import Floats, Ints

__all__ = ["State", "has_grown"]


class State:
    """The ratings of n players, and the period for which each was last computed."""

    def __init__(self, system: System, players: int) -> None:
        self.system = system
        new = system.initial(players)
        self.columns = {
            name: column
            for name in ("value", "deviation", "volatility", "games", "counted")
            if (column := getattr(new, name)) is not None
        }
        self.last: Ints = np.zeros(players, dtype=np.int64)

    def take(self, who: Ints) -> Ratings:
        """The ratings of some players as they were last computed."""
        taken = {name: column[who] for name, column in self.columns.items()}
        return Ratings(**{"deviation": None, "volatility": None, **taken})

    def take_aged(self, who: Ints, number: int) -> Ratings:
        """The ratings of some players as at the start of a period."""
        return self.system.age(self.take(who), self._idle(who, number))

    def put(self, who: Ints, after: Ratings, number: int) -> None:
        """Keep new ratings, computed for a period."""
        for name, column in self.columns.items():
            column[who] = getattr(after, name)
        # A period of Glicko-2 contains its own growth: its ratings are as at the end of it.
        self.last[who] = number + int(self.system.grows_in_play)

    def rated_aged(self, number: int) -> Ratings:
        """The ratings of everybody who has played, as at the start of a period."""
        return self.take_aged(np.flatnonzero(self.columns["games"]), number)

    def _idle(self, who: Ints, number: int) -> Floats:
        # A rating is as at the start of the period it was computed for; who is new does not age.
        idle: Floats = np.where(self.columns["games"][who] > 0, number - self.last[who], 0.0)
        return idle


def has_grown(system: System, ratings: Ratings, minimum: int) -> bool:
    """Whether so many of these players are established."""
    if len(ratings) < minimum:
        return False
    return bool(np.count_nonzero(system.status(ratings) == Status.ESTABLISHED) >= minimum)
