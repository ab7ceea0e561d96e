"""Ratings of a track while a run computes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ratings.runs.rows import Seats, distinct
from ratings.systems import Ratings, System
from ratings.systems.arrays import Bools, Floats, Ints, Statuses
from ratings.tracks.facets import WHOLE, Facets

__all__ = ["State"]

_TALLIES = ("wins", "draws", "losses", "leaves", "rating")
_MOMENTS = ("last_played_at", "as_of")
# Before every moment that a match can have, and far enough from the edge that differences do not overflow.
NEVER = -(2**62)


class Playing(Protocol):
    """Matches, whatever their shape, with players as positions in a `State`."""

    @property
    def played_at(self) -> Ints:
        """When each began."""

    @property
    def counts_at(self) -> Ints:
        """For when each counts."""

    def seats(self) -> Iterator[Seats]:
        """Everyone who took part."""


@dataclass(slots=True, eq=False)
class State:
    """n players sorted by id; every array has length n, and is written in place.

    player   ids, or the competitors of `facets`: whoever has a rating of its own
    rating   primary key of the row in the database; 0 where there is none yet
    as_of    int64 microseconds since 2000: from when on the deviation grows
    touched  whether the run changed the row
    """

    player: Ints
    rating: Ints
    value: Floats
    deviation: Floats | None
    volatility: Floats | None
    games: Ints
    counted: Ints
    wins: Ints
    draws: Ints
    losses: Ints
    leaves: Ints
    status: Statuses
    as_of: Ints
    last_played_at: Ints
    touched: Bools
    facets: Facets = WHOLE

    @classmethod
    def blank(cls, players: Ints, system: System, facets: Facets = WHOLE) -> "State":
        """Nobody has played yet."""
        new, n = system.initial(len(players)), len(players)
        return cls(
            player=players,
            value=new.value,
            deviation=new.deviation,
            volatility=new.volatility,
            games=new.games,
            counted=new.counted,
            status=np.zeros(n, dtype=np.int8),
            touched=np.zeros(n, dtype=bool),
            facets=facets,
            **{name: np.zeros(n, dtype=np.int64) for name in _TALLIES},
            **{name: np.full(n, NEVER, dtype=np.int64) for name in _MOMENTS},
        )

    def fill(self, where: Ints, found: dict[str, NDArray[Any]]) -> None:
        """Put columns read from the database at these positions."""
        for name, column in found.items():
            mine = getattr(self, name)
            if mine is not None and name != "player":
                mine[where] = column

    def take(self, who: Ints, system: System) -> Ratings:
        """Return the ratings at these positions; those of new players are the system's initial ones."""
        games = self.games[who]
        taken = Ratings(
            self.value[who],
            None if self.deviation is None else self.deviation[who],
            None if self.volatility is None else self.volatility[who],
            games,
            self.counted[who],
        )
        if (new := games == 0).any():
            initial = system.initial(1)
            for name in ("value", "deviation", "volatility"):
                if (column := getattr(taken, name)) is not None:
                    column[new] = getattr(initial, name)[0]
        return taken

    def put(self, who: Ints, ratings: Ratings, status: Statuses) -> None:
        """Write ratings at these positions."""
        for name in ("value", "deviation", "volatility", "games", "counted"):
            if (column := getattr(self, name)) is not None:
                column[who] = getattr(ratings, name)
        self.status[who] = status
        self.touched[who] = True

    def count_players(self, chosen: Ints | Bools) -> int:
        """How many players hold these ratings: with several characters, or on several maps, one counts once."""
        players, _values = self.facets.split(self.player[chosen])
        return len(distinct(players))

    def tally(self, matches: "Playing") -> None:
        """Count wins, draws, losses and early leaves, and note when each last played."""
        n = len(self.player)
        for seats in matches.seats():
            player, score = seats.player, seats.score
            self.wins += np.bincount(player[score == 1], minlength=n)
            self.draws += np.bincount(player[score == 0.5], minlength=n)
            self.losses += np.bincount(player[score == 0], minlength=n)
            self.leaves += np.bincount(player[seats.left], minlength=n)
            np.maximum.at(self.last_played_at, player, matches.played_at[seats.match])

    def count_from(self, matches: "Playing") -> None:
        """Note that the ratings of those who play are as of their latest match."""
        for seats in matches.seats():
            np.maximum.at(self.as_of, seats.player, matches.counts_at[seats.match])
