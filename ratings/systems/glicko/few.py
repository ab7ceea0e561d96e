"""A period in which few of many players play: rated as if nobody else were there."""

from dataclasses import dataclass, replace

import numpy as np

from ratings.systems.arrays import Ints
from ratings.systems.base import Results
from ratings.systems.contests import Contests
from ratings.systems.state import Ratings

__all__ = ["Few"]

# Players, and players for each side of a game, from which on this is quicker than to compute all of them.
_MANY = 4096
_FOR_EACH_SIDE = 4


@dataclass(frozen=True, slots=True, eq=False)
class Few:
    """Those who play.

    who      int64: their positions among all n players, rising
    results  their games, with positions among them
    """

    who: Ints
    results: Results

    @classmethod
    def of(cls, results: Results, n: int) -> "Few | None":
        """None where they are not few. Raises ValueError when a game names a player beyond the n."""
        results.check_players(n)
        are_contests = isinstance(results, Contests)
        columns = ("player",) if are_contests else ("first", "second")
        named = [getattr(results, column) for column in columns]
        if n < max(_MANY, sum(map(len, named)) * _FOR_EACH_SIDE):
            return None
        plays = np.zeros(n, dtype=np.bool_)
        for players in named:
            plays[players] = True
        who, index = np.flatnonzero(plays), np.empty(n, dtype=np.int64)
        index[who] = np.arange(len(who))
        anew = {column: index.take(players) for column, players in zip(columns, named, strict=True)}
        return cls(who, replace(results, **anew))

    def put(self, after: Ratings, ratings: Ratings) -> Ratings:
        """The ratings of all players, with those of the few as they are after the period."""
        whole = ratings.copy()
        for name in ("value", "deviation", "volatility", "games", "counted"):
            if (column := getattr(whole, name)) is not None:
                column[self.who] = getattr(after, name)
        return whole
