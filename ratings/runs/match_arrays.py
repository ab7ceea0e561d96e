"""Matches as the arrays on which a run computes: of one against one, and of teams."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

import numpy as np

from foundation.postgresql.bulk import Source, real, whole
from ratings.matches.player_stats import LEAST_MINUTES
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
    """m matches in the ladder's sequence, each of `each` players: r = m · each rows, match by match, team by team,
    and within a team by the player's id.

    id, seq, counts_at, played_at  length m; moments are int64 microseconds since 2000
    player     length r, ids, or positions in a `TrackRatings`
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
        """Whoever takes part, once for each match."""
        return self.player

    def part(self, start: int, stop: int) -> "TeamMatches":
        """Return the matches at these indexes, as views."""
        rows = slice(start * self.each, stop * self.each)
        return self._pick(slice(start, stop), rows)

    def with_positions(self, players: Ints) -> "TeamMatches":
        """Return the same with positions in `players`, which are sorted, for ids."""
        return replace(self, player=positions_in(players, self.player))

    def had_been(
        self, player: int, other: int, *, moved: Collection[int], gone: Collection[int]
    ) -> "TeamMatches":
        """Return the matches as if a player had been another in those `moved`, without those `gone`; by their ids."""
        is_moved = np.repeat(np.isin(self.id, list(moved)), self.each)
        players = np.where(is_moved & (self.player == player), other, self.player)
        # Within a team they stand in the order of their ids.
        order = np.lexsort((players, self.team, np.repeat(np.arange(len(self)), self.each)))
        stays = ~np.isin(self.id, list(gone))
        ordered = replace(self, player=players)._pick(slice(None), order)
        return ordered._pick(stays, np.repeat(stays, self.each))

    def participations(self) -> Iterator[Participations]:
        """Yield who took part, all at once."""
        match = np.repeat(np.arange(len(self)), self.each)
        yield Participations(self.player, match, self.outcome, self.left)

    def results(self, n: int) -> tuple[Ints, Contests]:
        """Return who plays, of n positions, sorted, and the results with positions among them."""
        who, local = players_of(self.player, n)
        return who, self.contests(local)

    def contests(self, player: Ints) -> Contests:
        """The results with these players, row by row."""
        match = np.repeat(np.arange(len(self)), self.each)
        return Contests(match, self.team, player, self.rank, self.weight, self.score, self.minutes)

    def _pick(self, matches: Any, rows: Any) -> "TeamMatches":
        columns: dict[str, Any] = {name: getattr(self, name)[matches] for name in _MATCH_FIELDS}
        for name in _ROW_FIELDS:
            column = getattr(self, name)
            columns[name] = None if column is None else column[rows]
        return TeamMatches(each=self.each, **columns)


_ROW_FIELDS = tuple(
    field.name for field in fields(TeamMatches) if field.name not in (*_MATCH_FIELDS, "each")
)


Matches: TypeAlias = DuelMatches | TeamMatches


def read_teams(matches: MatchColumns, match_format: RatedFormat) -> TeamMatches:
    """Read the players and results of these matches.

    Those that lack a column which the format needs are left out, and so are those in which somebody took no part
    where minutes are needed.

    Raises UnratableMatchError naming the first that has not the ladder's teams.
    """
    wants_score = bool(match_format.needs & {"score", "points"})
    columns: dict[str, Source] = (
        {**_TEAM_COLUMNS, "score": _SCORE} if wants_score else _TEAM_COLUMNS
    )
    found = read_participant_columns(matches, columns, shift=_TEAM_SHIFT)
    order = np.lexsort((found["player"], found["packed"] >> 1 & 0xFF, found["row"]))
    found = {name: column[order] for name, column in found.items()}
    team, rank = found["packed"] >> 1 & 0xFF, (found["packed"] >> 9 & 0xFF) - 1
    _check_teams(matches.seq, found["row"], team, rank, match_format)
    times = found["minutes"].reshape(-1, match_format.players)
    longest = times.max(axis=1, initial=0.0)  # NaN where one time is not known
    timed = longest > 0
    weight = np.ones_like(times)
    weight[timed] = times[timed] / longest[timed, None]
    rank_of_team = rank.reshape(-1, match_format.teams, match_format.size)[:, :, 0]
    is_best = rank_of_team == rank_of_team.min(axis=1, keepdims=True, initial=255)
    outcome = is_best / np.minimum(is_best.sum(axis=1, keepdims=True), 2)
    teams = TeamMatches(
        each=match_format.players,
        id=matches.id,
        seq=matches.seq,
        counts_at=matches.counts_at,
        played_at=matches.played_at,
        player=found["player"],
        team=team,
        rank=rank,
        left=(found["packed"] & 1).astype(bool),
        weight=weight.ravel(),
        outcome=np.repeat(outcome, match_format.size, axis=1).ravel().astype(np.float64),
        score=found["score"] if wants_score else None,
        minutes=found["minutes"] if "minutes" in match_format.needs else None,
    )
    unknown = np.zeros(len(teams), dtype=bool)
    if teams.score is not None:
        unknown |= np.isnan(teams.score.reshape(times.shape)).any(axis=1)
    if teams.minutes is not None:  # a player who took no part met nobody; NaN is not known
        unknown |= ~(times >= LEAST_MINUTES).all(axis=1)
    return (
        teams._pick(~unknown, np.repeat(~unknown, match_format.players)) if unknown.any() else teams
    )


def _check_teams(seq: Ints, row: Ints, team: Ints, rank: Ints, match_format: RatedFormat) -> None:
    """Raise UnratableMatchError unless each match has each team once, complete, with one rank."""
    wrong = np.bincount(row, minlength=len(seq)) != match_format.players
    if not wrong.any():
        should = np.repeat(np.arange(match_format.teams), match_format.size)
        ranks = rank.reshape(-1, match_format.teams, match_format.size)
        wrong |= (team.reshape(-1, match_format.players) != should).any(axis=1)
        wrong |= ((ranks < 0) | (ranks != ranks[:, :, :1])).any(axis=(1, 2))
    if wrong.any():
        raise UnratableMatchError(
            f"match {seq[np.flatnonzero(wrong)[0]]} of the ladder's sequence: must be {match_format.teams} teams of"
            f" {match_format.size}, each with one rank"
        )
