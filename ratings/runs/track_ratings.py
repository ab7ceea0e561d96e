"""The ratings of a track as arrays, on which a run works."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratings.runs.columns import distinct
from ratings.runs.match_arrays import Matches
from ratings.systems import Ratings, System
from ratings.systems.arrays import Bools, Floats, Ints, Statuses
from ratings.tracks.facets import WHOLE, Facets

__all__ = ["COLUMNS", "FIGURES", "MOMENTS", "TALLIES", "TrackRatings"]

# The columns of `Rating` that a run reads, works on and writes: each is an array of `TrackRatings`, and nothing else
# names them one by one. What the system knows of a player (None where it does not), what is counted, and when.
FIGURES = ("value", "deviation", "volatility")
TALLIES = ("games", "counted", "wins", "draws", "losses", "leaves")
MOMENTS = ("as_of", "last_played_at")
COLUMNS = (*FIGURES, *TALLIES, *MOMENTS, "status")
# Those of the tallies that the system keeps itself.
_OF_SYSTEM = ("games", "counted")
# Before every moment that a match can have, and far enough from the edge that differences do not overflow.
NEVER = -(2**62)


@dataclass(slots=True, eq=False)
class TrackRatings:
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
    def blank(cls, players: Ints, system: System, facets: Facets = WHOLE) -> "TrackRatings":
        """Nobody has played yet."""
        new, n = system.initial(len(players)), len(players)
        return cls(
            player=players,
            value=new.value,
            deviation=new.deviation,
            volatility=new.volatility,
            games=new.games,
            counted=new.counted,
            rating=np.zeros(n, dtype=np.int64),
            status=np.zeros(n, dtype=np.int8),
            touched=np.zeros(n, dtype=bool),
            facets=facets,
            **{name: np.zeros(n, dtype=np.int64) for name in TALLIES if name not in _OF_SYSTEM},
            **{name: np.full(n, NEVER, dtype=np.int64) for name in MOMENTS},
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
            for name in FIGURES:
                if (column := getattr(taken, name)) is not None:
                    column[new] = getattr(initial, name)[0]
        return taken

    def put(self, who: Ints, ratings: Ratings, status: Statuses) -> None:
        """Write ratings at these positions."""
        for name in (*FIGURES, *_OF_SYSTEM):
            if (column := getattr(self, name)) is not None:
                column[who] = getattr(ratings, name)
        self.status[who] = status
        self.touched[who] = True

    def count_players(self, chosen: Ints | Bools) -> int:
        """How many players hold these ratings: with several characters, or on several maps, one counts once."""
        players, _values = self.facets.split(self.player[chosen])
        return len(distinct(players))

    def tally(self, matches: Matches) -> None:
        """Count wins, draws, losses and early leaves, and note when each last played."""
        n = len(self.player)
        for part in matches.participations():
            # One number for player and outcome, so that each side is counted once: 0 lost, 1 drawn, 2 won.
            outcome = part.player * 3
            outcome += (part.score * 2).astype(np.int64)
            counts = np.bincount(outcome, minlength=3 * n).reshape(n, 3)
            self.losses += counts[:, 0]
            self.draws += counts[:, 1]
            self.wins += counts[:, 2]
            self.leaves += np.bincount(part.player[part.left], minlength=n)
            _raise_to(self.last_played_at, part.player, matches.played_at[part.match])

    def count_from(self, matches: Matches) -> None:
        """Note that the ratings of those who play are as of their latest match."""
        for part in matches.participations():
            _raise_to(self.as_of, part.player, matches.counts_at[part.match])


def _raise_to(latest: Ints, player: Ints, at: Ints) -> None:
    """Write each player's latest moment into `latest`, where it is later.

    Of several values for one place the last one stays: `np.maximum.at` takes ten times as long.
    """
    if (at[1:] < at[:-1]).any():  # seldom: matches count in the order in which they were confirmed
        order = np.argsort(at, kind="stable")
        player, at = player[order], at[order]
    latest[player] = np.maximum(latest[player], at)
