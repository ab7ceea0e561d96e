"""Reading the rows of confirmed matches, and of those who took part in them, as columns."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foundation.bulk import Source, fetch_columns, moment, whole
from ratings.models import Facet
from ratings.systems.arrays import Bools, Ints
from ratings.tracks.facets import WHOLE, Facets

__all__ = ["Found", "find_matches", "find_seats"]

Columns = dict[str, NDArray[Any]]

_MATCHES = (
    "ratings_match AS match WHERE match.ladder_id = %(ladder)s AND match.state = 'confirmed'"
    " AND match.ladder_seq > %(after)s AND match.ladder_seq <= %(last)s"
)
_MATCH_COLUMNS = {
    "id": whole("match.id"),
    # Its place, and whether nobody plays the better side: in one number, for a column of a million costs time.
    "seq": whole("(match.ladder_seq << 1) | match.is_neutral::int::bigint"),
    "counts_at": moment("match.counts_at"),
    "played_at": moment("match.played_at"),
}
_BY_RANGE = "ratings_participant AS took_part WHERE took_part.match_id BETWEEN %(low)s AND %(high)s"
_BY_JOIN = _MATCHES.replace(
    " WHERE", " JOIN ratings_participant AS took_part ON took_part.match_id = match.id WHERE", 1
)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Confirmed matches in the ladder's sequence; every array has length m.

    facets  what is rated apart    ground  the place of each match's map in them; None unless maps are
    """

    bounds: dict[str, int]
    facets: Facets
    id: Ints
    seq: Ints
    counts_at: Ints
    played_at: Ints
    neutral: Bools
    ground: Ints | None = None


def find_matches(ladder_id: int, *, after: int, last: int, facets: Facets = WHOLE) -> Found:
    """Read a ladder's confirmed matches above one sequence number, up to another."""
    bounds = {"ladder": ladder_id, "after": after, "last": last}
    columns, by_map = _MATCH_COLUMNS, facets.kind == Facet.MAP
    if by_map:
        columns = {**columns, "ground": whole(facets.code("match.map"))}
    found = fetch_columns(columns, _MATCHES, {**bounds, **facets.parameters} if by_map else bounds)
    if (np.diff(found["seq"]) < 0).any():
        order = np.argsort(found["seq"])
        found = {name: column[order] for name, column in found.items()}
    seq = found.pop("seq")
    return Found(bounds, facets, seq=seq >> 1, neutral=(seq & 1).astype(bool), **found)


def find_seats(matches: Found, columns: dict[str, Source], *, shift: int) -> Columns:
    """Read columns of all who took part, in any order; `packed` holds the match in its bits from `shift` on, as
    the distance of its id from the lowest. `row` is the place of the match, `player` becomes the competitor.
    """
    ids = matches.id
    low, high = int(np.min(ids, initial=ids[0] if len(ids) else 0)), int(np.max(ids, initial=0))
    # Matches of a ladder usually have ids in one stretch; then no join is needed.
    is_dense = high - low < 3 * len(ids) + 1000
    parameters = {**matches.bounds, "low": low, "high": high}
    if matches.facets.kind == Facet.CHARACTER:
        columns = {**columns, "facet": whole(matches.facets.code("took_part.character"))}
        parameters |= matches.facets.parameters
    found = fetch_columns(columns, _BY_RANGE if is_dense else _BY_JOIN, parameters)
    found["row"] = _places(ids, low, high, found["packed"] >> shift)
    if np.min(found["row"], initial=0) < 0:
        ours = found["row"] >= 0
        found = {name: column[ours] for name, column in found.items()}
    if matches.facets.kind:
        codes = found.pop("facet") if matches.ground is None else matches.ground[found["row"]]
        found["player"] = matches.facets.join(found["player"], codes)
    return found


def _places(ids: Ints, low: int, high: int, offset: Ints) -> Ints:
    """Position in `ids` of each match by its distance from the lowest id; -1 where it is not among them."""
    if high - low < 20 * len(ids) + 1000:
        table = np.full(high - low + 1, -1, dtype=np.int64)
        table[ids - low] = np.arange(len(ids))
        return table[offset]
    order = np.argsort(ids)
    found: Ints = order[np.searchsorted(ids, offset + low, sorter=order)]
    return found
