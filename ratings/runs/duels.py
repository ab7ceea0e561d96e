"""Matches of one against one, as a run works on them."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from foundation.bulk import Source, real, whole
from ratings.runs.rows import (
    Columns,
    Found,
    Seats,
    UnratableMatchError,
    find_seats,
    players_of,
    positions_in,
)
from ratings.systems import Duels
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["DuelMatches", "read_duels"]

# One number for place in the chunk, rank + 1 (0: none), team and whether the player left early.
_SHIFT = 19
_COLUMNS = {
    "player": whole("took_part.player_id"),
    "packed": whole(
        "((took_part.match_id - %(low)s::bigint) << 19) | (coalesce(took_part.rank + 1, 0) << 3)::bigint"
        " | (least(took_part.team, 3) << 1)::bigint | took_part.left_early::int::bigint"
    ),
}
_POINTS = real("coalesce(took_part.score, 'NaN')")


@dataclass(frozen=True, slots=True, eq=False)
class DuelMatches:
    """m matches in the ladder's sequence; every array has length m. Moments: int64 microseconds since 2000.

    first, second  player ids, or positions in a `State`
    score          of first: 1, 0.5, 0
    side           1 where first plays the better side, 0 where nobody does
    points         shape (m, 2), what the two counted in the game; None where nobody asked
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
    side: Floats
    points: Floats | None = None

    def __len__(self) -> int:
        return len(self.seq)

    @property
    def players(self) -> Ints:
        """Everyone who takes part, as often as he does."""
        return np.concatenate((self.first, self.second))

    def part(self, start: int, stop: int) -> "DuelMatches":
        """Return the matches at these places, as views."""
        return self._pick(slice(start, stop))

    def seated(self, players: Ints) -> "DuelMatches":
        """The same with positions in `players`, which are sorted, for ids."""
        first, second = (positions_in(players, ids) for ids in (self.first, self.second))
        return replace(self, first=first, second=second)

    def seats(self) -> Iterator[Seats]:
        """Everyone who took part, side by side."""
        everything = slice(None)
        yield Seats(self.first, everything, self.score, self.first_left)
        yield Seats(self.second, everything, 1 - self.score, self.second_left)

    def results(self, n: int) -> tuple[Ints, Duels]:
        """Who plays, of n positions, sorted, and the results with positions among them."""
        who, local = players_of(self.players, n)
        first, second = local[: len(self)], local[len(self) :]
        return who, Duels(first, second, self.score, self.side, self.points)

    def with_points(self) -> "DuelMatches":
        """Those of them whose points are all known."""
        if self.points is None or not (unknown := np.isnan(self.points).any(axis=1)).any():
            return self
        return self._pick(~unknown)

    def _pick(self, chosen: Any) -> "DuelMatches":
        columns: dict[str, Any] = {name: getattr(self, name) for name in _FIELDS}
        for name, column in columns.items():
            columns[name] = None if column is None else column[chosen]
        return DuelMatches(**columns)


_FIELDS = tuple(field.name for field in fields(DuelMatches))


def read_duels(matches: Found, *, points: bool) -> DuelMatches:
    """Read who met in these matches. With `points` those that lack them are left out.

    Raises UnratableMatchError naming the first that is no duel.
    """
    columns: dict[str, Source] = {**_COLUMNS, "points": _POINTS} if points else _COLUMNS
    found = find_seats(matches, columns, shift=_SHIFT)
    cell = _cells(matches.seq, found)
    players, packed = (_laid_out(cell, found[name]) for name in ("player", "packed"))
    rank, left = packed >> 3 & 0xFFFF, (packed & 1).astype(bool)
    return DuelMatches(
        id=matches.id,
        seq=matches.seq,
        counts_at=matches.counts_at,
        played_at=matches.played_at,
        first=players[:, 0],
        second=players[:, 1],
        score=(np.sign(rank[:, 1] - rank[:, 0]) + 1) / 2,
        first_left=left[:, 0],
        second_left=left[:, 1],
        side=(~matches.neutral).astype(np.float64),
        points=_laid_out(cell, found["points"]) if points else None,
    ).with_points()


def _cells(seq: Ints, found: Columns) -> Ints:
    """The place of each participant in one row a match and one column a side. Raises UnratableMatchError."""
    packed = found["packed"]
    cell: Ints = found["row"] * 2 + (packed >> 1 & 3)
    cells = 2 * len(seq)
    if len(cell) == cells and np.max(cell, initial=-1) < cells:
        # As many participants as cells: where none is left empty, none was written twice.
        sides = np.zeros(cells, dtype=np.int64)
        sides[cell] = packed
        if ((sides >> 3 & 0xFFFF) > 0).all() and ((sides >> 1 & 3) < 2).all():
            return cell
    raise _unratable(seq, found["row"], packed)


def _laid_out(cell: Ints, column: Any) -> Any:
    table = np.empty(len(cell), dtype=column.dtype)
    table[cell] = column
    return table.reshape(-1, 2)


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
