"""Matches of several teams, or of teams of several, as a run works on them."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from foundation.bulk import Source, real, whole
from ratings.matches.player_stats import LEAST_MINUTES
from ratings.runs.rows import (
    Columns,
    Found,
    Seats,
    UnratableMatchError,
    find_seats,
    players_of,
    positions_in,
)
from ratings.runs.shape import Shape
from ratings.systems import Contests
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["TeamMatches", "read_teams"]

# One number for place in the chunk, rank + 1 (0: none), team and whether the player left early.
_SHIFT = 17
_COLUMNS = {
    "player": whole("took_part.player_id"),
    "packed": whole(
        "((took_part.match_id - %(low)s::bigint) << 17) | (least(coalesce(took_part.rank + 1, 0), 255) << 9)::bigint"
        " | (least(took_part.team, 255) << 1)::bigint | took_part.left_early::int::bigint"
    ),
    "minutes": real("coalesce(took_part.minutes, 'NaN')"),
}
_SCORE = real("coalesce(took_part.score, 'NaN')")
_OF_MATCHES = ("id", "seq", "counts_at", "played_at")


@dataclass(frozen=True, slots=True, eq=False)
class TeamMatches:
    """m matches in the ladder's sequence, each of `each` players: r = m · each rows, match by match, team by team,
    and within a team by the player's id.

    id, seq, counts_at, played_at  length m; moments are int64 microseconds since 2000
    player     length r, ids, or positions in a `State`
    team, rank, left, weight, outcome, score, minutes  length r
    weight     the share of the longest time that anybody took part; 1 where times are not all known
    outcome    1 for the only best team, 0.5 for those who share the first place, 0 for the others
    score, minutes  None where nobody asked
    """

    each: int
    id: Ints
    seq: Ints
    counts_at: Ints
    played_at: Ints
    player: Ints
    team: Ints
    rank: Ints
    left: Bools
    weight: Floats
    outcome: Floats
    score: Floats | None = None
    minutes: Floats | None = None

    def __len__(self) -> int:
        return len(self.seq)

    @property
    def players(self) -> Ints:
        """Everyone who takes part, as often as he does."""
        return self.player

    def part(self, start: int, stop: int) -> "TeamMatches":
        """Return the matches at these places, as views."""
        rows = slice(start * self.each, stop * self.each)
        return self._pick(slice(start, stop), rows)

    def seated(self, players: Ints) -> "TeamMatches":
        """The same with positions in `players`, which are sorted, for ids."""
        return replace(self, player=positions_in(players, self.player))

    def seats(self) -> Iterator[Seats]:
        """Everyone who took part."""
        match = np.repeat(np.arange(len(self)), self.each)
        yield Seats(self.player, match, self.outcome, self.left)

    def results(self, n: int) -> tuple[Ints, Contests]:
        """Who plays, of n positions, sorted, and the results with positions among them."""
        who, local = players_of(self.player, n)
        return who, self.contests(local)

    def contests(self, player: Ints) -> Contests:
        """The results with these players, row by row."""
        match = np.repeat(np.arange(len(self)), self.each)
        return Contests(match, self.team, player, self.rank, self.weight, self.score, self.minutes)

    def known(self) -> "TeamMatches":
        """Those of them of which every column that was asked for is known."""
        unknown = np.zeros(len(self), dtype=bool)
        for column in (self.score, self.minutes):
            if column is not None:
                unknown |= np.isnan(column.reshape(-1, self.each)).any(axis=1)
        if self.minutes is not None:  # who took no part met nobody
            unknown |= (self.minutes.reshape(-1, self.each) < LEAST_MINUTES).any(axis=1)
        return self._pick(~unknown, np.repeat(~unknown, self.each)) if unknown.any() else self

    def _pick(self, matches: Any, rows: Any) -> "TeamMatches":
        columns: dict[str, Any] = {name: getattr(self, name)[matches] for name in _OF_MATCHES}
        for name in _OF_ROWS:
            column = getattr(self, name)
            columns[name] = None if column is None else column[rows]
        return TeamMatches(each=self.each, **columns)


_OF_ROWS = tuple(
    field.name for field in fields(TeamMatches) if field.name not in (*_OF_MATCHES, "each")
)


def read_teams(matches: Found, shape: Shape) -> TeamMatches:
    """Read who met in these matches. Those that lack a column which the shape needs are left out, and so are those
    in which somebody took no part where minutes are needed.

    Raises UnratableMatchError naming the first that has not the ladder's teams.
    """
    wants_score = bool(shape.needs & {"score", "points"})
    columns: dict[str, Source] = {**_COLUMNS, "score": _SCORE} if wants_score else _COLUMNS
    found = find_seats(matches, columns, shift=_SHIFT)
    order = np.lexsort((found["player"], found["packed"] >> 1 & 0xFF, found["row"]))
    found = {name: column[order] for name, column in found.items()}
    team, rank = found["packed"] >> 1 & 0xFF, (found["packed"] >> 9 & 0xFF) - 1
    _check_teams(matches.seq, found, team, rank, shape)
    return TeamMatches(
        each=shape.seats,
        id=matches.id,
        seq=matches.seq,
        counts_at=matches.counts_at,
        played_at=matches.played_at,
        player=found["player"],
        team=team,
        rank=rank,
        left=(found["packed"] & 1).astype(bool),
        weight=_weights(found["minutes"], shape.seats),
        outcome=_outcomes(rank, shape),
        score=found["score"] if wants_score else None,
        minutes=found["minutes"] if "minutes" in shape.needs else None,
    ).known()


def _check_teams(seq: Ints, found: Columns, team: Ints, rank: Ints, shape: Shape) -> None:
    """Raise UnratableMatchError unless each match has each team once, complete, with one rank."""
    row = found["row"]
    wrong = np.bincount(row, minlength=len(seq)) != shape.seats
    if not wrong.any():
        should = np.repeat(np.arange(shape.teams), shape.size)
        ranks = rank.reshape(-1, shape.teams, shape.size)
        wrong |= (team.reshape(-1, shape.seats) != should).any(axis=1)
        wrong |= ((ranks < 0) | (ranks != ranks[:, :, :1])).any(axis=(1, 2))
    if wrong.any():
        raise UnratableMatchError(
            f"match {seq[np.flatnonzero(wrong)[0]]} of the ladder's sequence: must be {shape.teams} teams of"
            f" {shape.size}, each with one rank"
        )


def _weights(minutes: Floats, each: int) -> Floats:
    """By the share of the longest time in the match."""
    times = minutes.reshape(-1, each)
    longest = times.max(axis=1, initial=0.0)  # NaN where one time is not known
    timed = longest > 0
    weight = np.ones_like(times)
    weight[timed] = times[timed] / longest[timed, None]
    return weight.ravel()


def _outcomes(rank: Ints, shape: Shape) -> Floats:
    """1 for the only best team, 0.5 where several are best, 0 for the others."""
    ranks = rank.reshape(-1, shape.teams, shape.size)[:, :, 0]
    best = ranks == ranks.min(axis=1, keepdims=True, initial=255)
    score = best / np.minimum(best.sum(axis=1, keepdims=True), 2)
    return np.repeat(score, shape.size, axis=1).ravel().astype(np.float64)
