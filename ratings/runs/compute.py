"""Rating in memory: each match at once, in the ladder's sequence, or whole periods, one after the other.

Rows of the ledger are columns, named as in RatingChange: `player` is an id, `cause` a match's id or a period's number;
moments are int64 microseconds since 2000.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foundation.postgresql.bulk import to_micros
from ratings.runs.match_arrays import Matches
from ratings.runs.position import Chunk, Position, Version
from ratings.runs.track_ratings import TrackRatings
from ratings.systems import Changes, Ratings, Status, Sums
from ratings.systems.arrays import Ints
from ratings.tracks.periods import Calendar

__all__ = ["Ledger", "PeriodRow", "RatedChunk", "rate_matches", "rate_periods"]

# The pool is looked at before every so many matches, however a run happens to be cut. Matches that were annulled do not
# count: a replay must look where it would have looked without them.
POOL_STEP = 100

Ledger: TypeAlias = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class PeriodRow:
    """A closed period in which matches counted."""

    number: int
    version_id: int
    first_seq: int
    last_seq: int
    games: int
    players: int
    new_players: int
    mean: float
    spread: float


@dataclass(frozen=True, slots=True)
class RatedChunk:
    """Ratings, ledger and position after a chunk: what a run is about to write.

    ledger  columns of one length, named as in RatingChange; `cause` is a match's id or a period's number,
            `player` an id, moments are int64 microseconds since 2000
    """

    matches: int
    state: TrackRatings
    ledger: Mapping[str, NDArray[Any]]
    periods: tuple[PeriodRow, ...]
    rated_seq: int
    closed_periods: int
    pool_grown_from: int | None

    @property
    def players(self) -> int:
        """How many ratings the chunk changed."""
        return int(self.state.touched.sum())


def rate_matches(
    position: Position, chunk: Chunk, state: TrackRatings, matches: Matches
) -> RatedChunk:
    """Rate the matches of a chunk, each an event of its own."""
    grown_from = position.pool_grown_from
    changes_at = [version.applies_from for version in position.versions]
    ledgers: list[Ledger] = []
    state.tally(matches)
    start = 0
    while start < len(matches):
        first = int(matches.seq[start])
        version = position.version_at(first)
        system = version.system
        # Up to the next change of parameters.
        end = min((seq for seq in changes_at if seq > first), default=int(matches.seq[-1]) + 1)
        stop = int(np.searchsorted(matches.seq, end))
        if grown_from is None:
            # Everyone is loaded while the pool grows. Once grown, it stays so.
            played = int(state.games.sum())
            stop = min(stop, start + _until_next_look(position, matches, start, played))
            if _is_time_to_look(position, played):
                everyone = state.take(np.arange(len(state.player)), system)
                is_established = system.status(everyone) == Status.ESTABLISHED
                if state.count_players(is_established) >= version.pool_minimum:
                    grown_from = first
        part = matches.part(start, stop)
        who, results = part.results(len(state.player))
        after, changes = system.rate_explained(
            state.take(who, system), results, all_count=grown_from is None
        )
        state.put(who, after, system.status(after))
        state.count_from(part)
        ledgers.append(_match_rows(state.player[who], part, changes))
        start = stop
    return RatedChunk(
        matches=len(matches),
        state=state,
        ledger=_join(ledgers),
        periods=(),
        rated_seq=chunk.last,
        closed_periods=0,
        pool_grown_from=grown_from,
    )


def _is_time_to_look(position: Position, played: Any) -> Any:
    """Whether the pool is looked at when its players have `played` so many games together, a number or several.

    Where all matches have as many players that is before each POOL_STEP-th; where some have fewer, also before the
    next ones. It follows from the ratings alone, so that it does not matter how a run was cut.
    """
    return played // position.match_format.most_players % POOL_STEP == 0


def _until_next_look(position: Position, matches: Matches, start: int, played: int) -> int:
    """How many matches from `start` on are rated before the pool is looked at again; at least one."""
    most = position.match_format.most_players
    # Two players at least are in each match: so many matches surely reach the next time.
    coming = matches.sizes[start : start + POOL_STEP * most // 2 + 1]
    found = np.flatnonzero(_is_time_to_look(position, played + np.cumsum(coming)))
    return int(found[0]) + 1 if len(found) else len(matches) - start


def rate_periods(
    position: Position,
    chunk: Chunk,
    state: TrackRatings,
    matches: Matches,
    on_period: Callable[[int, int], None],
) -> RatedChunk:
    """Rate the periods of a chunk; after each calls `on_period` with the numbers of matches and periods done."""
    calendar = position.calendar
    if calendar is None:
        raise ValueError(f"track {position.track_id} has no periods; rate it match by match")
    grown_from = position.pool_grown_from
    ledgers: list[Ledger] = []
    rows: list[PeriodRow] = []
    state.tally(matches)
    numbers = np.maximum((matches.counts_at - to_micros(calendar.start)) // calendar.length_us, 0)
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    for start, stop in pairwise([*starts.tolist(), len(matches)]):
        number = int(numbers[start])
        version = position.version_at(number)
        if grown_from is None:
            # As of the start of the period. Once grown, the pool stays so.
            rated = np.flatnonzero(state.games)
            if len(rated) >= version.pool_minimum:
                aged = _aged(state, rated, calendar, number, version)
                established = rated[version.system.status(aged) == Status.ESTABLISHED]
                if state.count_players(established) >= version.pool_minimum:
                    grown_from = number
        part = matches.part(start, stop)
        ledger, row = _rate_period(
            state, part, calendar, number, version, all_count=grown_from is None
        )
        ledgers.append(ledger)
        rows.append(row)
        on_period(stop, number + 1)
    return RatedChunk(
        matches=len(matches),
        state=state,
        ledger=_join(ledgers),
        periods=tuple(rows),
        rated_seq=chunk.last,
        closed_periods=chunk.closed,
        pool_grown_from=grown_from,
    )


def _rate_period(
    state: TrackRatings,
    matches: Matches,
    calendar: Calendar,
    number: int,
    version: Version,
    *,
    all_count: bool,
) -> tuple[Ledger, PeriodRow]:
    system = version.system
    who, results = matches.results(len(state.player))
    before = _aged(state, who, calendar, number, version)
    after, sums = system.rate_event_summed(before, results, all_count=all_count)
    new = int(np.count_nonzero(state.games[who] == 0))
    state.put(who, after, system.status(after))
    # From then on deviations grow: where play contains its own growth, from the period's end.
    ends_at = calendar.ends_at(number)
    state.as_of[who] = to_micros(ends_at if system.grows_in_play else calendar.starts_at(number))
    values = state.value[state.games > 0]
    row = PeriodRow(
        number=number,
        version_id=version.pk,
        first_seq=int(matches.seq[0]),
        last_seq=int(matches.seq[-1]),
        games=len(matches),
        players=len(who),
        new_players=new,
        mean=float(values.mean()),
        spread=float(values.std()),
    )
    ledger = _period_rows(state.player[who], number, to_micros(ends_at), before, after, sums)
    return ledger, row


def _aged(
    state: TrackRatings, who: Ints, calendar: Calendar, number: int, version: Version
) -> Ratings:
    """Ratings as at the start of the period: deviations have grown since they were computed."""
    now = to_micros(calendar.starts_at(number))
    idle = np.where(state.games[who] > 0, now - state.as_of[who], 0) / calendar.length_us
    return version.system.age(state.take(who, version.system), idle)


def _period_rows(
    players: Ints, number: int, at: int, before: Ratings, after: Ratings, sums: Sums
) -> Ledger:
    """One row a player: sums of expected and actual score, the mean weight of a game."""
    n = len(players)
    rows: Ledger = {
        "player": players,
        "cause": np.full(n, number, dtype=np.int64),
        "at": np.full(n, at, dtype=np.int64),
        "games": (after.games - before.games).astype(np.int32),
        "expected": sums.expected,
        "actual": sums.actual,
        "weight": sums.weight,
        "value_before": before.value,
        "value_after": after.value,
        "status_before": sums.status_before.astype(np.int16),
    }
    for name in ("deviation", "volatility"):
        if (old := getattr(before, name)) is not None:
            rows |= {f"{name}_before": old, f"{name}_after": getattr(after, name)}
    if sums.worth is not None:
        rows["worth"] = sums.worth
    return rows


def _match_rows(players: Ints, matches: Matches, changes: Changes) -> Ledger:
    """One row for each player of each match, in the sequence."""
    rows: Ledger = {
        "player": players[changes.player],
        "cause": matches.id[changes.game],
        "at": matches.counts_at[changes.game],
        "games": np.ones(len(changes), dtype=np.int32),
        "expected": changes.expected,
        "actual": changes.actual,
        "weight": changes.weight,
        "value_before": changes.value_before,
        "value_after": changes.value_after,
        "status_before": changes.status_before.astype(np.int16),
    }
    if changes.deviation_before is not None and changes.deviation_after is not None:
        rows["deviation_before"] = changes.deviation_before
        rows["deviation_after"] = changes.deviation_after
    return rows


def _join(parts: list[Ledger]) -> Ledger:
    """Put rows of several events one after the other."""
    if not parts:
        return {}
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
