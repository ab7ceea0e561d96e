"""Read what a run works on: matches in the form their systems take, and the ratings of a track as arrays."""

from typing import Any, TypeVar

import numpy as np

from foundation.postgresql.bulk import fetch_columns, moment, real, whole
from ratings.runs.columns import UnratableMatchError, distinct, read_match_columns
from ratings.runs.match_arrays import DuelMatches, Matches, TeamMatches, read_duels, read_teams
from ratings.runs.position import DUELS, Position, RatedFormat
from ratings.runs.track_ratings import FIGURES, MOMENTS, TALLIES, TrackRatings
from ratings.tracks.facets import WHOLE, Facets

__all__ = ["UnratableMatchError", "load_matches", "load_state"]

M = TypeVar("M", DuelMatches, TeamMatches, Matches)

_RATINGS = {
    "rating": whole("id"),
    "status": whole("status"),
    **{name: real(f"coalesce({name}, 0)") for name in FIGURES},
    **{name: whole(name) for name in TALLIES},
    **{name: moment(name) for name in MOMENTS},
}


def load_matches(
    ladder_id: int,
    *,
    after: int,
    last: int,
    match_format: RatedFormat = DUELS,
    facets: Facets = WHOLE,
) -> Matches:
    """Read a ladder's confirmed matches above one sequence number, up to another.

    Players are ids, or the competitors of `facets`. A match without a column that the format needs is left out: no
    rating can be made of it, and none waits for it.
    Raises UnratableMatchError naming the first that has not the format.
    """
    found = read_match_columns(ladder_id, after=after, last=last, facets=facets)
    if match_format.are_duels:
        return read_duels(found, points="points" in match_format.needs)
    return read_teams(found, match_format)


def load_state(
    position: Position, matches: M, *, everyone: bool, facets: Facets = WHOLE
) -> tuple[TrackRatings, M]:
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
    state = TrackRatings.blank(players, version.system, facets)
    state.fill(np.searchsorted(players, found["player"]), found)
    return state, matches.with_positions(players)
