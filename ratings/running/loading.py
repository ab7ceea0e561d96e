"""Reading what a run works on: matches in the form their systems take, and ratings as arrays."""

from typing import Any, TypeAlias, TypeVar

import numpy as np

from foundation.bulk import fetch_columns, moment, real, whole
from ratings.running.duels import DuelMatches, read_duels
from ratings.running.players import distinct
from ratings.running.position import Position
from ratings.running.rows import find_matches
from ratings.running.seats import UnratableMatchError
from ratings.running.shape import DUELS, Shape
from ratings.running.state import State
from ratings.running.teams import TeamMatches, read_teams

__all__ = ["Matches", "UnratableMatchError", "load_matches", "load_state"]

Matches: TypeAlias = DuelMatches | TeamMatches
M = TypeVar("M", DuelMatches, TeamMatches, Matches)

_RATINGS = {
    "rating": whole("id"),
    "player": whole("player_id"),
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


def load_matches(ladder_id: int, *, after: int, last: int, shape: Shape = DUELS) -> Matches:
    """Read a ladder's confirmed matches above one sequence number, up to another.

    A match without a column that `shape.needs` is left out: no rating can be made of it, and none waits for it.
    Raises UnratableMatchError naming the first that has not the shape.
    """
    found = find_matches(ladder_id, after=after, last=last)
    if shape.are_duels:
        return read_duels(found, points="points" in shape.needs)
    return read_teams(found, shape)


def load_state(position: Position, matches: M, *, everyone: bool) -> tuple[State, M]:
    """Read the ratings of a track: of those who play in `matches`, or of everyone.

    Players without a rating are added. Gives the matches back with positions in the state for player ids.
    """
    playing = distinct(matches.players)
    condition = "" if everyone else " AND player_id = ANY(%(players)s)"
    parameters: dict[str, Any] = {"track": position.track_id}
    if not everyone:
        parameters["players"] = playing.tolist()
    source = f"ratings_rating WHERE track_id = %(track)s{condition}"
    found = fetch_columns(_RATINGS, source, parameters)
    players = distinct(np.concatenate((found["player"], playing)))
    version = position.version_at(position.rated_seq + 1)
    state = State.blank(players, version.system)
    state.fill(np.searchsorted(players, found["player"]), found)
    return state, matches.seated(players)
