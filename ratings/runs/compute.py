"""Rating in memory: each match at once, in the ladder's sequence, or whole periods, one after the other."""

from collections.abc import Callable
from datetime import datetime

import numpy as np

from foundation.bulk import to_micros
from ratings.runs.load import Matches
from ratings.runs.outcome import Ledger, Outcome, PeriodRow, join, match_rows, period_rows
from ratings.runs.position import Chunk, Position, Version
from ratings.runs.state import State
from ratings.systems import Ratings, Status, System
from ratings.systems.arrays import Ints
from ratings.tracks.periods import Calendar

__all__ = ["rate_matches", "rate_periods"]

# The pool is looked at before every so many matches, however a run happens to be cut. Matches that were annulled do not
# count: a replay must look where it would have looked without them.
POOL_STEP = 100


def rate_matches(position: Position, chunk: Chunk, state: State, matches: Matches) -> Outcome:
    """Rate the matches of a chunk, each an event of its own."""
    grown_from = position.pool_grown_from
    ledgers: list[Ledger] = []
    state.tally(matches)
    start = 0
    while start < len(matches):
        first = int(matches.seq[start])
        version = position.version_at(first)
        stop = start + _stretch(position, matches.seq[start:])
        if grown_from is None:
            # Everyone is loaded while the pool grows.
            rated = int(state.games.sum()) // position.shape.seats
            stop = min(stop, start + POOL_STEP - rated % POOL_STEP)
            if rated % POOL_STEP == 0 and _pool_has_grown(state, version):
                grown_from = first
        part = matches.part(start, stop)
        ledgers.append(_rate(state, part, version, all_count=grown_from is None))
        start = stop
    return Outcome(
        matches=len(matches),
        state=state,
        ledger=join(ledgers),
        periods=(),
        rated_seq=chunk.last,
        closed_periods=0,
        pool_grown_from=grown_from,
    )


def _stretch(position: Position, seq: Ints) -> int:
    """Return how many of these matches, at least one, the parameters of the first hold for."""
    changes = [version.applies_from for version in position.versions]
    until = min((change for change in changes if change > seq[0]), default=int(seq[-1]) + 1)
    return int(np.searchsorted(seq, until))


def _pool_has_grown(state: State, version: Version) -> bool:
    """Whether enough players are established by now. Once grown, a pool stays so."""
    everyone = state.take(np.arange(len(state.player)), version.system)
    is_established = version.system.status(everyone) == Status.ESTABLISHED
    return state.count_players(is_established) >= version.pool_minimum


def _rate(state: State, matches: Matches, version: Version, *, all_count: bool) -> Ledger:
    system = version.system
    who, results = matches.results(len(state.player))
    after, changes = system.rate_explained(state.take(who, system), results, all_count=all_count)
    state.put(who, after, system.status(after))
    state.count_from(matches)
    return match_rows(state.player[who], matches, changes)


def rate_periods(
    position: Position,
    chunk: Chunk,
    state: State,
    matches: Matches,
    on_period: Callable[[int, int], None],
) -> Outcome:
    """Rate the periods of a chunk; `on_period` is told how many matches and periods are done so far."""
    calendar = position.calendar
    if calendar is None:
        raise ValueError(f"track {position.track_id} has no periods; rate it match by match")
    grown_from = position.pool_grown_from
    ledgers: list[Ledger] = []
    rows: list[PeriodRow] = []
    state.tally(matches)
    for number, start, stop in _stretches(calendar, matches):
        version = position.version_at(number)
        if grown_from is None and _has_grown(state, calendar, number, version):
            grown_from = number
        part = matches.part(start, stop)
        ledger, row = _rate_period(
            state, part, calendar, number, version, all_count=grown_from is None
        )
        ledgers.append(ledger)
        rows.append(row)
        on_period(stop, number + 1)
    return Outcome(
        matches=len(matches),
        state=state,
        ledger=join(ledgers),
        periods=tuple(rows),
        rated_seq=chunk.last,
        closed_periods=chunk.closed,
        pool_grown_from=grown_from,
    )


def _stretches(calendar: Calendar, matches: Matches) -> list[tuple[int, int, int]]:
    """Number, first and one past the last match of each period that has any."""
    numbers = (matches.counts_at - to_micros(calendar.start)) // calendar.length_us
    np.maximum(numbers, 0, out=numbers)
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    stops = np.append(starts, len(matches))[1:]
    return list(zip(numbers[starts].tolist(), starts.tolist(), stops.tolist(), strict=True))


def _has_grown(state: State, calendar: Calendar, number: int, version: Version) -> bool:
    """Whether enough players are established at the start of the period. Once grown, a pool stays so."""
    rated = np.flatnonzero(state.games)
    if len(rated) < version.pool_minimum:
        return False
    aged = _aged(state, rated, calendar, number, version)
    established = rated[version.system.status(aged) == Status.ESTABLISHED]
    return state.count_players(established) >= version.pool_minimum


def _aged(state: State, who: Ints, calendar: Calendar, number: int, version: Version) -> Ratings:
    """Ratings as at the start of the period: deviations have grown since they were computed."""
    now = to_micros(calendar.starts_at(number))
    idle = np.where(state.games[who] > 0, now - state.as_of[who], 0) / calendar.length_us
    return version.system.age(state.take(who, version.system), idle)


def _grows_from(calendar: Calendar, number: int, system: System) -> datetime:
    """From when deviations grow once the period is rated: where play contains its own growth, from its end."""
    return calendar.ends_at(number) if system.grows_in_play else calendar.starts_at(number)


def _rate_period(
    state: State,
    matches: Matches,
    calendar: Calendar,
    number: int,
    version: Version,
    *,
    all_count: bool,
) -> tuple[Ledger, PeriodRow]:
    who, results = matches.results(len(state.player))
    before = _aged(state, who, calendar, number, version)
    after, changes = version.system.rate_event_explained(before, results, all_count=all_count)
    new = int(np.count_nonzero(state.games[who] == 0))
    state.put(who, after, version.system.status(after))
    state.as_of[who] = to_micros(_grows_from(calendar, number, version.system))
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
    at = to_micros(calendar.ends_at(number))
    return period_rows(state.player[who], number, at, before, after, changes), row
