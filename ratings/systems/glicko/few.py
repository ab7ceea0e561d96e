"""A period in which few of many players play: rated as if nobody else were there."""

from dataclasses import dataclass, replace

import numpy as np

from ratings.systems.arrays import Ints
from ratings.systems.results import Duels
from ratings.systems.state import Ratings

__all__ = ["Few"]

# Players, and players for each side of a game, from which on this is quicker than to compute all of them.
_MANY = 4096
_FOR_EACH_SIDE = 4


@dataclass(frozen=True, slots=True, eq=False)
class Few:
    """Those who play.

    who    int64: their positions among all n players, rising
    duels  their games, with positions among them
    """

    who: Ints
    duels: Duels

    @classmethod
    def of(cls, duels: Duels, n: int) -> "Few | None":
        """None where they are not few. Raises ValueError when a game names a player beyond the n."""
        duels.check_players(n)
        if n < max(_MANY, 2 * len(duels) * _FOR_EACH_SIDE):
            return None
        plays = np.zeros(n, dtype=np.bool_)
        plays[duels.first] = plays[duels.second] = True
        who, index = np.flatnonzero(plays), np.empty(n, dtype=np.int64)
        index[who] = np.arange(len(who))
        first, second = index.take(duels.first), index.take(duels.second)
        return cls(who, replace(duels, first=first, second=second))

    def put(self, after: Ratings, ratings: Ratings) -> Ratings:
        """The ratings of all players, with those of the few as they are after the period."""
        whole = ratings.copy()
        for name in ("value", "deviation", "volatility", "games", "counted"):
            if (column := getattr(whole, name)) is not None:
                column[self.who] = getattr(after, name)
        return whole
