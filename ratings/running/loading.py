"""Reading what a run works on: matches as duels, and ratings as arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foundation.bulk import fetch_columns, moment, real, whole
from ratings.running.players import distinct, positions_in
from ratings.running.position import Position
from ratings.running.state import State
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Matches", "UnratableMatchError", "load_matches", "load_state"]

_MATCHES = (
    "ratings_match AS match WHERE match.ladder_id = %(ladder)s AND match.state = 'confirmed'"
    " AND match.ladder_seq > %(after)s AND match.ladder_seq <= %(last)s"
)
_MATCH_COLUMNS = {
    "id": whole("match.id"),
    "seq": whole("match.ladder_seq"),
    "counts_at": moment("match.counts_at"),
    "played_at": moment("match.played_at"),
}
# One number for place in the chunk, rank + 1 (0: none), team and whether the player left early.
_PARTICIPANT_COLUMNS = {
    "player": whole("took_part.player_id"),
    "packed": whole(
        "((took_part.match_id - %(low)s::bigint) << 19) | (coalesce(took_part.rank + 1, 0) << 3)::bigint"
        " | (least(took_part.team, 3) << 1)::bigint | took_part.left_early::int::bigint"
    ),
}
_BY_RANGE = "ratings_participant AS took_part WHERE took_part.match_id BETWEEN %(low)s AND %(high)s"
_BY_JOIN = _MATCHES.replace(
    " WHERE", " JOIN ratings_participant AS took_part ON took_part.match_id = match.id WHERE", 1
)
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


class UnratableMatchError(ValueError):
    """A confirmed match is not one player against one, each with a rank."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """m matches in the ladder's sequence; every array has length m. Moments: int64 microseconds since 2000.

    first, second  player ids, later replaced by positions in a `State`
    score          of first: 1, 0.5, 0
    """

    id: Ints
    seq: Ints
    counts_at: Ints
    played_at: Ints
    first: Ints
    second: Ints
    score: Floats
    first_left: Bools
    second_left: Bools

    def __len__(self) -> int:
        return len(self.seq)

    def part(self, start: int, stop: int) -> "Matches":
        """Return the matches at these places, as views."""
        columns = (getattr(self, name)[start:stop] for name in self.__slots__)
        return Matches(*columns)


def load_matches(ladder_id: int, *, after: int, last: int) -> Matches:
    """Read a ladder's confirmed matches above one sequence number, up to another.

    Raises UnratableMatchError naming the first that is no duel.
    """
    bounds = {"ladder": ladder_id, "after": after, "last": last}
    found = fetch_columns(_MATCH_COLUMNS, _MATCHES, bounds)
    if (np.diff(found["seq"]) < 0).any():
        order = np.argsort(found["seq"])
        found = {name: column[order] for name, column in found.items()}
    return Matches(**found, **_load_sides(found["id"], found["seq"], bounds))


def _load_sides(ids: Ints, seq: Ints, bounds: dict[str, int]) -> dict[str, NDArray[Any]]:
    low, high = int(np.min(ids, initial=0)), int(np.max(ids, initial=0))
    # Matches of a ladder usually have ids in one stretch; then no join is needed.
    is_dense = high - low < 3 * len(ids) + 1000
    parameters = {**bounds, "low": low, "high": high}
    source = _BY_RANGE if is_dense else _BY_JOIN
    found = fetch_columns(_PARTICIPANT_COLUMNS, source, parameters)
    packed, player = found["packed"], found["player"]
    row = _places(ids, low, high, packed >> 19)
    if np.min(row, initial=0) < 0:
        packed, player, row = packed[row >= 0], player[row >= 0], row[row >= 0]
    players, packed = _by_side(seq, row, player, packed)
    rank, left = packed >> 3 & 0xFFFF, (packed & 1).astype(bool)
    return {
        "first": players[:, 0],
        "second": players[:, 1],
        "score": (np.sign(rank[:, 1] - rank[:, 0]) + 1) / 2,
        "first_left": left[:, 0],
        "second_left": left[:, 1],
    }


def _places(ids: Ints, low: int, high: int, offset: Ints) -> Ints:
    """Position in `ids` of each match by its distance from the lowest id; -1 where it is not among them."""
    if high - low < 20 * len(ids) + 1000:
        table = np.full(high - low + 1, -1, dtype=np.int64)
        table[ids - low] = np.arange(len(ids))
        return table[offset]
    order = np.argsort(ids)
    found: Ints = order[np.searchsorted(ids, offset + low, sorter=order)]
    return found


def _by_side(seq: Ints, row: Ints, player: Ints, packed: Ints) -> tuple[Ints, Ints]:
    """Lay participants out as one row a match and one column a side. Raises UnratableMatchError."""
    cell = row * 2 + (packed >> 1 & 3)
    cells = 2 * len(seq)
    if len(row) == cells and np.max(cell, initial=-1) < cells:
        # As many participants as cells: where none is left empty, none was written twice.
        players, sides = np.full(cells, -1, dtype=np.int64), np.zeros(cells, dtype=np.int64)
        players[cell], sides[cell] = player, packed
        if (
            np.min(players, initial=0) >= 0
            and ((sides >> 3 & 0xFFFF) > 0).all()
            and ((sides >> 1 & 3) < 2).all()
        ):
            return players.reshape(-1, 2), sides.reshape(-1, 2)
    raise _unratable(seq, row, packed)


def _unratable(seq: Ints, row: Ints, packed: Ints) -> UnratableMatchError:
    """Name the first match that has not exactly one ranked player in team 0 and one in team 1."""
    side, rank = packed >> 1 & 3, packed >> 3 & 0xFFFF
    fits = (side < 2) & (rank > 0)
    counts = np.bincount(row[fits] * 2 + side[fits], minlength=2 * len(seq)).reshape(-1, 2)
    wrong = (counts != 1).any(axis=1)
    wrong[row[~fits]] = True
    return UnratableMatchError(
        f"match {seq[np.flatnonzero(wrong)[0]]} of the ladder's sequence: must be one player in team 0 against one in"
        " team 1, each with a rank"
    )


def load_state(position: Position, matches: Matches, *, everyone: bool) -> tuple[State, Matches]:
    """Read the ratings of a track: of those who play in `matches`, or of everyone.

    Players without a rating are added. Gives the matches back with positions in the state for player ids.
    """
    playing = distinct(np.concatenate((matches.first, matches.second)))
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
    positions = {
        name: positions_in(players, getattr(matches, name)) for name in ("first", "second")
    }
    columns = {name: getattr(matches, name) for name in Matches.__slots__}
    return state, Matches(**{**columns, **positions})
