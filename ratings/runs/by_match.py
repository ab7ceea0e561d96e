"""Rating each match at once, in the ladder's sequence."""

import numpy as np

from ratings.runs.ledger import Ledger, join, match_rows
from ratings.runs.load import Matches
from ratings.runs.outcome import Outcome
from ratings.runs.position import Chunk, Position, Version
from ratings.runs.state import State
from ratings.systems import Status
from ratings.systems.arrays import Ints

__all__ = ["POOL_STEP", "rate_matches"]

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
            if rated % POOL_STEP == 0 and _has_grown(state, version):
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


def _has_grown(state: State, version: Version) -> bool:
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
