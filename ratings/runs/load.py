"""What a run works on: matches in the form their systems take, and the ratings of a track as arrays."""

from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from foundation.bulk import fetch_columns, moment, real, whole
from ratings.runs.columns import DUELS, Shape, UnratableMatchError, distinct, read_match_columns
from ratings.runs.match_arrays import DuelMatches, TeamMatches, read_duels, read_teams
from ratings.runs.position import Position
from ratings.systems import Ratings, System
from ratings.systems.arrays import Bools, Floats, Ints, Statuses
from ratings.tracks.facets import WHOLE, Facets

__all__ = ["Matches", "State", "UnratableMatchError", "load_matches", "load_state"]

Matches: TypeAlias = DuelMatches | TeamMatches
M = TypeVar("M", DuelMatches, TeamMatches, Matches)

_TALLIES = ("wins", "draws", "losses", "leaves", "rating")
_MOMENTS = ("last_played_at", "as_of")
# Before every moment that a match can have, and far enough from the edge that differences do not overflow.
NEVER = -(2**62)
_RATINGS = {
    "rating": whole("id"),
    "value": real("value"),
    "deviation": real("coalesce(deviation, 0)"),
    "volatility": real("coalesce(volatility, 0)"),
    "as_of": moment("as_of"),
    "games": whole("games"),
    "counted": whole("counted"),
    "wins": whole("wins"),
    "draws": whole("draws"),
    "losses": whole("losses"),
    "leaves": whole("leaves"),
    "status": whole("status"),
    "last_played_at": moment("last_played_at"),
}


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

    def tally(self, matches: Matches) -> None:
        """Count wins, draws, losses and early leaves, and note when each last played."""
        n = len(self.player)
        for part in matches.participations():
            player, score = part.player, part.score
            self.wins += np.bincount(player[score == 1], minlength=n)
            self.draws += np.bincount(player[score == 0.5], minlength=n)
            self.losses += np.bincount(player[score == 0], minlength=n)
            self.leaves += np.bincount(player[part.left], minlength=n)
            np.maximum.at(self.last_played_at, player, matches.played_at[part.match])

    def count_from(self, matches: Matches) -> None:
        """Note that the ratings of those who play are as of their latest match."""
        for part in matches.participations():
            np.maximum.at(self.as_of, part.player, matches.counts_at[part.match])


def load_matches(
    ladder_id: int, *, after: int, last: int, shape: Shape = DUELS, facets: Facets = WHOLE
) -> Matches:
    """Read a ladder's confirmed matches above one sequence number, up to another.

    Players are ids, or the competitors of `facets`. A match without a column that `shape.needs` is left out: no rating
    can be made of it, and none waits for it.
    Raises UnratableMatchError naming the first that has not the shape.
    """
    found = read_match_columns(ladder_id, after=after, last=last, facets=facets)
    if shape.are_duels:
        return read_duels(found, points="points" in shape.needs)
    return read_teams(found, shape)


def load_state(
    position: Position, matches: M, *, everyone: bool, facets: Facets = WHOLE
) -> tuple[State, M]:
    """Read the ratings of a track: of those who play in `matches`, or of everyone.

    Players without a rating are added. Gives the matches back with positions in the state for player ids. With
    `everyone` on, `facets` must hold all values that are rated.
    """
    playing = distinct(matches.players)
    parameters: dict[str, Any] = {"track": position.track_id, **facets.parameters}
    source = "ratings_rating WHERE track_id = %(track)s"
    if not everyone:
        parameters["players"] = distinct(facets.split(playing)[0]).tolist()
        source += " AND player_id = ANY(%(players)s)"
        source += " AND facet = ANY(%(facets)s)" if facets.kind else ""
    columns = {"player": facets.competitor("player_id", "facet"), **_RATINGS}
    found = fetch_columns(columns, source, parameters)
    players = distinct(np.concatenate((found["player"], playing)))
    version = position.version_at(position.rated_seq + 1)
    state = State.blank(players, version.system, facets)
    state.fill(np.searchsorted(players, found["player"]), found)
    return state, matches.with_positions(players)
