"""Reading what a run works on: matches in the form their systems take, and ratings as arrays."""

from typing import Any, TypeAlias, TypeVar

import numpy as np

from foundation.bulk import fetch_columns, moment, real, whole
from ratings.runs.duels import DuelMatches, read_duels
from ratings.runs.position import Position
from ratings.runs.rows import UnratableMatchError, distinct, find_matches
from ratings.runs.shape import DUELS, Shape
from ratings.runs.state import State
from ratings.runs.teams import TeamMatches, read_teams
from ratings.tracks.facets import WHOLE, Facets

__all__ = ["Matches", "UnratableMatchError", "load_matches", "load_state"]

Matches: TypeAlias = DuelMatches | TeamMatches
M = TypeVar("M", DuelMatches, TeamMatches, Matches)

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


def load_matches(
    ladder_id: int, *, after: int, last: int, shape: Shape = DUELS, facets: Facets = WHOLE
) -> Matches:
    """Read a ladder's confirmed matches above one sequence number, up to another.

    Players are ids, or the competitors of `facets`. A match without a column that `shape.needs` is left out: no rating
    can be made of it, and none waits for it.
    Raises UnratableMatchError naming the first that has not the shape.
    """
    found = find_matches(ladder_id, after=after, last=last, facets=facets)
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
    return state, matches.seated(players)
