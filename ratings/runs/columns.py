"""Confirmed matches and their participants read as columns.

Ids of players become indexes of arrays by tables instead of sorting, where ids lie close together: many times faster.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foundation.postgresql.bulk import Source, fetch_columns, moment, whole
from ratings.models import Facet
from ratings.systems.arrays import Bools, Floats, Ints
from ratings.tracks.facets import WHOLE, Facets

__all__ = [
    "Columns",
    "MatchColumns",
    "Participations",
    "UnratableMatchError",
    "distinct",
    "players_of",
    "positions_in",
    "read_match_columns",
    "read_participant_columns",
]

Columns = dict[str, NDArray[Any]]
_MATCHES = (
    "ratings_match AS match WHERE match.ladder_id = %(ladder)s AND match.state = 'confirmed'"
    " AND match.ladder_seq > %(after)s AND match.ladder_seq <= %(last)s"
)
_MATCH_COLUMNS = {
    "id": whole("match.id"),
    # Its number, and whether nobody plays the better side: in one number, for a column of a million costs time.
    "seq": whole("(match.ladder_seq << 1) | match.is_neutral::int::bigint"),
    "counts_at": moment("match.counts_at"),
    "played_at": moment("match.played_at"),
}
_BY_RANGE = (
    "ratings_participant AS participant WHERE participant.match_id BETWEEN %(low)s AND %(high)s"
)
_BY_JOIN = _MATCHES.replace(
    " WHERE", " JOIN ratings_participant AS participant ON participant.match_id = match.id WHERE", 1
)
Indexes: TypeAlias = Ints | slice


class UnratableMatchError(ValueError):
    """A confirmed match has not the ladder's teams, each with its players and one rank."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchColumns:
    """Confirmed matches in the ladder's sequence; every array has length m.

    facets    what is rated apart
    map_code  the index of each match's map in them; None unless maps are
    """

    bounds: dict[str, int]
    facets: Facets
    id: Ints
    seq: Ints
    counts_at: Ints
    played_at: Ints
    neutral: Bools
    map_code: Ints | None = None


def read_match_columns(
    ladder_id: int, *, after: int, last: int, facets: Facets = WHOLE
) -> MatchColumns:
    """Read a ladder's confirmed matches above one sequence number, up to another."""
    bounds = {"ladder": ladder_id, "after": after, "last": last}
    columns, by_map = _MATCH_COLUMNS, facets.kind == Facet.MAP
    if by_map:
        columns = {**columns, "map_code": whole(facets.code("match.map"))}
    found = fetch_columns(columns, _MATCHES, {**bounds, **facets.parameters} if by_map else bounds)
    if (np.diff(found["seq"]) < 0).any():
        order = np.argsort(found["seq"])
        found = {name: column[order] for name, column in found.items()}
    seq = found.pop("seq")
    return MatchColumns(bounds, facets, seq=seq >> 1, neutral=(seq & 1).astype(bool), **found)


def read_participant_columns(
    matches: MatchColumns, columns: dict[str, Source], *, shift: int
) -> Columns:
    """Read columns of all who took part, in any order; `packed` holds the match in its bits from `shift` on, as
    the distance of its id from the lowest. `row` is the index of the match, `player` becomes the competitor.
    """
    ids = matches.id
    low, high = int(np.min(ids, initial=ids[0] if len(ids) else 0)), int(np.max(ids, initial=0))
    # Matches of a ladder usually have ids in one stretch; then no join is needed.
    is_dense = high - low < 3 * len(ids) + 1000
    parameters = {**matches.bounds, "low": low, "high": high}
    if matches.facets.kind == Facet.CHARACTER:
        columns = {**columns, "facet": whole(matches.facets.code("participant.character"))}
        parameters |= matches.facets.parameters
    found = fetch_columns(columns, _BY_RANGE if is_dense else _BY_JOIN, parameters)
    offset = found["packed"] >> shift
    if high - low < 20 * len(ids) + 1000:
        row_at = np.full(high - low + 1, -1, dtype=np.int64)
        row_at[ids - low] = np.arange(len(ids))
        found["row"] = row_at[offset]  # -1: a match that is not among these
    else:
        order = np.argsort(ids)
        found["row"] = order[np.searchsorted(ids, offset + low, sorter=order)]
    if np.min(found["row"], initial=0) < 0:
        ours = found["row"] >= 0
        found = {name: column[ours] for name, column in found.items()}
    if matches.facets.kind:
        codes = found.pop("facet") if matches.map_code is None else matches.map_code[found["row"]]
        found["player"] = matches.facets.join(found["player"], codes)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Participations:
    """Arrays of one length, one element for each player of each match.

    player  ids, or positions in a `TrackRatings`        match  the indexes of their matches
    score   1 won, 0.5 shared the first place, 0 lost        left   whether the player left early
    """

    player: Ints
    match: Indexes
    score: Floats
    left: Bools


def distinct(ids: Ints) -> Ints:
    """Return the sorted distinct ids."""
    low, high = int(np.min(ids, initial=ids[0] if len(ids) else 0)), int(np.max(ids, initial=0))
    if high - low > 4 * len(ids) + 1000:
        return np.unique(ids)
    present = np.zeros(high - low + 1, dtype=bool)
    present[ids - low] = True
    found: Ints = np.flatnonzero(present) + low
    return found if len(ids) else ids


def positions_in(players: Ints, ids: Ints) -> Ints:
    """Return the position of each id in `players`, which are sorted and hold them all."""
    if not len(ids):
        return ids
    low, high = int(players[0]), int(players[-1])
    if high - low > 4 * (len(ids) + len(players)) + 1000:
        return np.searchsorted(players, ids)
    table = np.zeros(high - low + 1, dtype=np.int64)
    table[players - low] = np.arange(len(players))
    found: Ints = table[ids - low]
    return found


def players_of(ids: Ints, n: int) -> tuple[Ints, Ints]:
    """Return who is among `ids`, sorted, and each of them as a position among those. Ids are below n."""
    if len(ids) * 8 < n:
        who, local = np.unique(ids, return_inverse=True)
    else:
        plays = np.zeros(n, dtype=bool)
        plays[ids] = True
        who, local = np.flatnonzero(plays), (np.cumsum(plays) - 1)[ids]
    return who, local
