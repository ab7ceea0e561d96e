"""What changes about people from match to match: games played, where they stand, when they are free. Pure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from demo.season.people import LADDERS, Floats, People

__all__ = ["Careers"]

_SESSION = 600.0  # seconds: whoever ended a match so recently is likely to play on
_PLAYS_ON = 14.0
_HALF_LEARNT = 15.0  # games
_WAVE = 35.0  # points of good and bad form


@dataclass(slots=True, eq=False)
class Careers:
    """State of n people while the season is simulated; arrays of length n unless said.

    games     (n, LADDERS)
    estimate  (n, LADDERS) a plain rating, by which they are paired
    free_at   seconds since the start; ladder: that of the last match, -1 before it; last: the last opponent
    """

    people: People
    length: float
    games: NDArray[np.int64]
    estimate: Floats
    free_at: Floats
    ladder: NDArray[np.int64]
    last: NDArray[np.int64]
    phase: Floats

    @classmethod
    def begin(cls, people: People, *, length: float, phase: Floats) -> "Careers":
        """Nobody has played yet. `length` in seconds; `phase` of each one's form, in radians."""
        n = len(people)
        return cls(
            people=people,
            length=length,
            games=np.zeros((n, LADDERS), dtype=np.int64),
            estimate=np.full((n, LADDERS), 1500.0),
            free_at=np.full(n, -2 * _SESSION),
            ladder=np.full(n, -1, dtype=np.int64),
            last=np.full(n, -1, dtype=np.int64),
            phase=phase,
        )

    def ready(self, moment: float) -> NDArray[np.bool_]:
        """Who is there and not in a match."""
        return self.there(moment) & (self.free_at <= moment)

    def there(self, moment: float) -> NDArray[np.bool_]:
        """Who has come and not gone."""
        at = moment / self.length
        return (self.people.arrives <= at) & (at < self.people.leaves)

    def in_session(self, moment: float) -> NDArray[np.bool_]:
        """Who played a moment ago."""
        return moment - self.free_at < _SESSION

    def eagerness(self, moment: float) -> Floats:
        """How likely each is to play now, not normed."""
        return self.people.activity * np.where(self.in_session(moment), _PLAYS_ON, 1.0)

    def strength(self, who: int, moment: float) -> float:
        """True strength now: what is learnt so far, and form."""
        learnt = 0.5 ** (self.games[who].sum() / _HALF_LEARNT)
        form = np.sin(self.phase[who] + 9.0 * moment / self.length)
        return float(self.people.strength[who] - self.people.lesson[who] * learnt + _WAVE * form)

    def note(self, ladder: int, first: int, second: int, *, score: float, until: float) -> None:
        """A match was played; `score` of first."""
        gap = self.estimate[second, ladder] - self.estimate[first, ladder]
        surprise = score - 1.0 / (1.0 + 10.0 ** (gap / 400.0))
        for who, other, sign in ((first, second, 1.0), (second, first, -1.0)):
            step = max(16.0, 140.0 / (1.0 + self.games[who, ladder] / 3.0))
            self.estimate[who, ladder] += sign * step * surprise
            self.busy(who, other, ladder=ladder, until=until)
        self.games[[first, second], ladder] += 1

    def busy(self, who: int, other: int, *, ladder: int, until: float) -> None:
        """Keep a player in a match."""
        self.free_at[who], self.ladder[who], self.last[who] = until, ladder, other
