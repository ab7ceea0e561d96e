"""What changes about people from match to match: games played, where they stand, when they are free. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from demo.season.people import LADDERS, Floats, People
from demo.strength import expected

__all__ = ["Careers", "Teams"]

Teams = Sequence[Sequence[int]]

_SESSION = 600.0  # seconds: whoever ended a match so recently is likely to play on
_PLAYS_ON = 14.0
_HALF_LEARNT = 15.0  # games
_WAVE = 35.0  # points of good and bad form


@dataclass(slots=True, eq=False)
class Careers:
    """State of n people while the season is simulated; arrays of length n unless said.

    games     (n, LADDERS)
    estimate  (n, LADDERS) a plain rating, by which they are paired
    free_at   seconds since the start; ladder: that of the last match, -1 before it; last: an opponent there
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
        learnt = 0.5 ** (sum(self.games[who].tolist()) / _HALF_LEARNT)
        form = math.sin(self.phase[who] + 9.0 * moment / self.length)
        return float(self.people.strength[who] - self.people.lesson[who] * learnt + _WAVE * form)

    def note(self, ladder: int, teams: Teams, ranks: Sequence[int], *, until: float) -> None:
        """A match was played; `ranks` by team, 0 is best."""
        means = [sum(self.estimate[who, ladder] for who in team) / len(team) for team in teams]
        for index, team in enumerate(teams):
            # How much better the team did than expected, on average against each other one.
            others, own = [other for other in range(len(teams)) if other != index], ranks[index]
            actual = sum((own < ranks[one]) + (own == ranks[one]) / 2 for one in others)
            awaited = sum(expected(means[index] - means[one]) for one in others)
            surprise = (actual - awaited) / len(others)
            for who in team:
                step = max(16.0, 140.0 / (1.0 + self.games[who, ladder] / 3.0))
                self.estimate[who, ladder] += step * surprise
                self.games[who, ladder] += 1
        self.busy(ladder, teams, until=until)

    def busy(self, ladder: int, teams: Teams, *, until: float) -> None:
        """Keep players in a match."""
        for index, team in enumerate(teams):
            opponent = teams[index - 1][0]
            for who in team:
                self.free_at[who], self.ladder[who], self.last[who] = until, ladder, opponent
