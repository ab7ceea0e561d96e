"""Matches as the arrays on which a run computes: of one against one, and of teams."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

import numpy as np

from foundation.postgresql.bulk import Source, real, whole
from ratings.matches.player_stats import LEAST_MINUTES
from ratings.models import MatchShape
from ratings.runs.columns import (
    Columns,
    MatchColumns,
    Participations,
    UnratableMatchError,
    players_of,
    positions_in,
    read_participant_columns,
)
from ratings.runs.position import RatedFormat
from ratings.systems import Contests, Duels
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["DuelMatches", "Matches", "TeamMatches", "read_duels", "read_teams"]

# One number for index in the chunk, rank + 1 (0: none), team and whether the player left early.
_DUEL_SHIFT = 19
_DUEL_COLUMNS = {
    "player": whole("participant.player_id"),
    "packed": whole(
        "((participant.match_id - %(low)s::bigint) << 19) | (coalesce(participant.rank + 1, 0) << 3)::bigint"
        " | (least(participant.team, 3) << 1)::bigint | participant.left_early::int::bigint"
    ),
}
_TEAM_SHIFT = 17
_TEAM_COLUMNS = {
    "player": whole("participant.player_id"),
    "packed": whole(
        "((participant.match_id - %(low)s::bigint) << 17)"
        " | (least(coalesce(participant.rank + 1, 0), 255) << 9)::bigint"
        " | (least(participant.team, 255) << 1)::bigint | participant.left_early::int::bigint"
    ),
    "minutes": real("coalesce(participant.minutes, 'NaN')"),
}
_SCORE = real("coalesce(participant.score, 'NaN')")
_MATCH_FIELDS = ("id", "seq", "counts_at", "played_at")


@dataclass(frozen=True, slots=True, eq=False)
class DuelMatches:
    """m matches in the ladder's sequence; every array has length m. Moments: int64 microseconds since 2000.

    first, second  player ids, or positions in a `TrackRatings`
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
        """Whoever takes part, once for each match."""
        return np.concatenate((self.first, self.second))

    @property
    def sizes(self) -> Ints:
        """The players of each match: two."""
        return np.full(len(self), 2)

    def part(self, start: int, stop: int) -> "DuelMatches":
        """Return the matches at these indexes, as views."""
        return self._pick(slice(start, stop))

    def with_positions(self, players: Ints) -> "DuelMatches":
        """Return the same with positions in `players`, which are sorted, for ids."""
        first, second = (positions_in(players, ids) for ids in (self.first, self.second))
        return replace(self, first=first, second=second)

    def had_been(
        self, player: int, other: int, *, moved: Collection[int], gone: Collection[int]
    ) -> "DuelMatches":
        """Return the matches as if a player had been another in those `moved`, without those `gone`; by their ids."""
        is_moved = np.isin(self.id, list(moved))
        first, second = (
            np.where(is_moved & (ids == player), other, ids) for ids in (self.first, self.second)
        )
        return replace(self, first=first, second=second)._pick(~np.isin(self.id, list(gone)))

    def participations(self) -> Iterator[Participations]:
        """Yield who took part: all first players, then all second ones."""
        everything = slice(None)
        yield Participations(self.first, everything, self.score, self.first_left)
        yield Participations(self.second, everything, 1 - self.score, self.second_left)

    def results(self, n: int) -> tuple[Ints, Duels]:
        """Return who plays, of n positions, sorted, and the results with positions among them."""
        who, local = players_of(self.players, n)
        first, second = local[: len(self)], local[len(self) :]
        return who, Duels(first, second, self.score, self.side, self.points)

    def _pick(self, chosen: Any) -> "DuelMatches":
        """Return the matches that `chosen` selects: a slice, or a Boolean array."""
        columns: dict[str, Any] = {name: getattr(self, name) for name in _DUEL_FIELDS}
        for name, column in columns.items():
            columns[name] = None if column is None else column[chosen]
        return DuelMatches(**columns)


_DUEL_FIELDS = tuple(field.name for field in fields(DuelMatches))


def read_duels(matches: MatchColumns, *, points: bool) -> DuelMatches:
    """Read the players and results of these matches. With `points` those that lack them are left out.

    Raises UnratableMatchError naming the first that is no duel.
    """
    columns: dict[str, Source] = {**_DUEL_COLUMNS, "points": _SCORE} if points else _DUEL_COLUMNS
    found = read_participant_columns(matches, columns, shift=_DUEL_SHIFT)
    cell = _cells(matches.seq, found)
    players, packed = (_by_side(cell, found[name]) for name in ("player", "packed"))
    rank, left = packed >> 3 & 0xFFFF, (packed & 1).astype(bool)
    duels = DuelMatches(
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
        points=_by_side(cell, found["points"]) if points else None,
    )
    if duels.points is None or not (unknown := np.isnan(duels.points).any(axis=1)).any():
        return duels
    return duels._pick(~unknown)


def _cells(seq: Ints, found: Columns) -> Ints:
    """Return the index of each participant in one row a match and one column a side.

    Raises UnratableMatchError unless each match has one ranked player in team 0 and one in team 1.
    """
    row, team, rank = found["row"], found["packed"] >> 1 & 3, found["packed"] >> 3 & 0xFFFF
    fits = (team < 2) & (rank > 0)
    cell: Ints = row * 2 + team
    if len(cell) == 2 * len(seq) and fits.all():
        # As many participants as cells: where none is left empty, none is taken twice.
        taken = np.zeros(2 * len(seq), dtype=bool)
        taken[cell] = True
        if taken.all():
            return cell
    counts = np.bincount(cell[fits], minlength=2 * len(seq)).reshape(-1, 2)
    wrong = (counts != 1).any(axis=1)
    wrong[row[~fits]] = True
    raise UnratableMatchError(
        f"match {seq[np.flatnonzero(wrong)[0]]} of the ladder's sequence: must be one player in team 0 against one in"
        " team 1, each with a rank"
    )


def _by_side(cell: Ints, column: Any) -> Any:
    """Lay a column out with one row a match and one column a side."""
    table = np.empty(len(cell), dtype=column.dtype)
    table[cell] = column
    return table.reshape(-1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class TeamMatches:
    """m matches in the ladder's sequence, of r players: match by match, team by team, and within a team by the
    player's id.

    id, seq, counts_at, played_at  length m; moments are int64 microseconds since 2000
    starts     length m + 1: the first row of each match, and r
    player     length r, ids, or positions in a `TrackRatings`
    team, rank, left, weight, outcome, score, minutes  length r
    weight     the share of the longest time that anybody took part; 1 where times are not all known
    outcome    1 for the only best team, 0.5 for those who share the first place, 0 for the others
    score, minutes  None where nobody asked
    """

    id: Ints
    seq: Ints
    counts_at: Ints
    played_at: Ints
    starts: Ints
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
        """Whoever takes part, once for each match."""
        return self.player

    @property
    def sizes(self) -> Ints:
        """The players of each match, length m."""
        return np.diff(self.starts)

    @property
    def match(self) -> Ints:
        """The index of the match of each row, length r."""
        return np.repeat(np.arange(len(self)), self.sizes)

    def part(self, start: int, stop: int) -> "TeamMatches":
        """Return the matches at these indexes, as views."""
        first, last = int(self.starts[start]), int(self.starts[stop])
        starts = self.starts[start : stop + 1] - first
        return self._pick(slice(start, stop), slice(first, last), starts)

    def with_positions(self, players: Ints) -> "TeamMatches":
        """Return the same with positions in `players`, which are sorted, for ids."""
        return replace(self, player=positions_in(players, self.player))

    def had_been(
        self, player: int, other: int, *, moved: Collection[int], gone: Collection[int]
    ) -> "TeamMatches":
        """Return the matches as if a player had been another in those `moved`, without those `gone`; by their ids."""
        match = self.match
        is_moved = np.isin(self.id, list(moved))[match]
        players = np.where(is_moved & (self.player == player), other, self.player)
        # Within a team they stand in the order of their ids.
        order = np.lexsort((players, self.team, match))
        ordered = replace(self, player=players)._pick(slice(None), order, self.starts)
        return ordered.without(np.isin(self.id, list(gone)))

    def without(self, gone: Bools) -> "TeamMatches":
        """Return the matches but for those of the array, of length m."""
        if not gone.any():
            return self
        starts = np.concatenate(([0], np.cumsum(self.sizes[~gone])))
        return self._pick(~gone, ~gone[self.match], starts)

    def participations(self) -> Iterator[Participations]:
        """Yield who took part, all at once."""
        yield Participations(self.player, self.match, self.outcome, self.left)

    def results(self, n: int) -> tuple[Ints, Contests]:
        """Return who plays, of n positions, sorted, and the results with positions among them."""
        who, local = players_of(self.player, n)
        return who, self.contests(local)

    def contests(self, player: Ints) -> Contests:
        """The results with these players, row by row."""
        return Contests(
            self.match, self.team, player, self.rank, self.weight, self.score, self.minutes
        )

    def _pick(self, matches: Any, rows: Any, starts: Ints) -> "TeamMatches":
        columns: dict[str, Any] = {name: getattr(self, name)[matches] for name in _MATCH_FIELDS}
        for name in _ROW_FIELDS:
            column = getattr(self, name)
            columns[name] = None if column is None else column[rows]
        return TeamMatches(starts=starts, **columns)


_ROW_FIELDS = tuple(
    field.name for field in fields(TeamMatches) if field.name not in (*_MATCH_FIELDS, "starts")
)


Matches: TypeAlias = DuelMatches | TeamMatches


def read_teams(matches: MatchColumns, match_format: RatedFormat) -> TeamMatches:
    """Read the players and results of these matches.

    Where minutes are needed, whoever took no part (0 minutes) is left out, and with them a team in which nobody did.
    Matches in which no two teams are left are left out, as are those that lack a column which the format needs.

    Raises UnratableMatchError naming the first that has not the ladder's teams.
    """
    wants_score = bool(match_format.needs & {"score", "points"})
    columns: dict[str, Source] = (
        {**_TEAM_COLUMNS, "score": _SCORE} if wants_score else _TEAM_COLUMNS
    )
    found = read_participant_columns(matches, columns, shift=_TEAM_SHIFT)
    found["team"], found["rank"] = found["packed"] >> 1 & 0xFF, (found["packed"] >> 9 & 0xFF) - 1
    order = np.lexsort((found["player"], found["team"], found["row"]))
    found = {name: column[order] for name, column in found.items()}
    _check_teams(matches.seq, found, match_format.shape)
    is_present = ~(found["minutes"] < LEAST_MINUTES)  # NaN is not known: present
    if "minutes" in match_format.needs and not is_present.all():
        found = {name: column[is_present] for name, column in found.items()}
    m, row = len(matches.seq), found["row"]
    starts = np.searchsorted(row, np.arange(m + 1))
    begins = _begins_team(row, found["team"])
    teams = np.bincount(row, begins, minlength=m).astype(np.int64)
    # Teams are numbered anew, as one may have gone.
    number = np.cumsum(begins)
    team = number - number[starts[:-1].clip(max=max(len(row) - 1, 0))][row] if len(row) else row
    read = TeamMatches(
        id=matches.id,
        seq=matches.seq,
        counts_at=matches.counts_at,
        played_at=matches.played_at,
        starts=starts,
        player=found["player"],
        team=team,
        rank=found["rank"],
        left=(found["packed"] & 1).astype(bool),
        weight=np.ones(len(row)),
        outcome=np.zeros(len(row)),
        score=found["score"] if wants_score else None,
        minutes=found["minutes"],
    )
    unknown = teams < 2
    for name in ("score", "minutes"):
        if match_format.needs & ({"score", "points"} if name == "score" else {name}):
            unknown |= np.bincount(row, np.isnan(found[name]), minlength=m) > 0
    return _weighed(read.without(unknown), match_format)


def _weighed(matches: TeamMatches, match_format: RatedFormat) -> TeamMatches:
    """With weights and outcomes; the minutes only where the format needs them."""
    weight, outcome = matches.weight, matches.outcome
    if len(matches):
        first, match, times = matches.starts[:-1], matches.match, matches.minutes
        assert times is not None  # noqa: S101 - as they were read
        longest = np.maximum.reduceat(times, first)[match]  # NaN where one time is not known
        timed = longest > 0
        weight[timed] = times[timed] / longest[timed]
        is_best = matches.rank == np.minimum.reduceat(matches.rank, first)[match]
        best = np.bincount(match, is_best & _begins_team(match, matches.team))
        outcome = np.where(is_best, 1 / np.minimum(best, 2)[match], 0.0)
    needs_minutes = "minutes" in match_format.needs
    return replace(matches, outcome=outcome, minutes=matches.minutes if needs_minutes else None)


def _begins_team(row: Ints, team: Ints) -> Bools:
    """Whether each row is the first of its team, where those of a match, and of a team, stand together."""
    begins: Bools = np.ones(len(row), dtype=bool)
    begins[1:] = (np.diff(row) != 0) | (np.diff(team) != 0)
    return begins


def _check_teams(seq: Ints, found: Columns, shape: MatchShape) -> None:
    """Raise UnratableMatchError unless each match has as many teams as the shape allows, numbered from 0, each with as
    many players, and with one rank.
    """
    row, team, rank, m = found["row"], found["team"], found["rank"], len(seq)
    begins = _begins_team(row, team)
    at = np.flatnonzero(begins)
    teams = np.bincount(row[at], minlength=m)
    sizes = np.diff(at, append=len(row))
    wrong = (teams < shape.fewest_teams) | (teams > shape.team_count)
    unfit = (sizes < shape.smallest_team) | (sizes > shape.team_size)
    # The teams of a match are 0, 1, … in their order.
    place = np.arange(len(at)) - np.repeat(np.cumsum(teams) - teams, teams)
    unfit |= team[at] != place
    wrong[row[at][unfit]] = True
    wrong[row[(rank < 0) | (rank != np.repeat(rank[at], sizes))]] = True
    if wrong.any():
        raise UnratableMatchError(
            f"match {seq[np.flatnonzero(wrong)[0]]} of the ladder's sequence: must be {shape}, each with one rank"
        )
