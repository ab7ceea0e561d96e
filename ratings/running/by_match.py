"""Rating each match at once, in the ladder's sequence."""

import numpy as np

from ratings.running.ledger import Ledger, join, match_rows
from ratings.running.loading import Matches
from ratings.running.outcome import Outcome
from ratings.running.players import players_of
from ratings.running.position import Chunk, Position, Version
from ratings.running.state import State
from ratings.systems import Duels, Status

__all__ = ["POOL_STEP", "rate_matches"]

# The pool is looked at after every so many places of the sequence, however a run happens to be cut.
POOL_STEP = 100


def rate_matches(position: Position, chunk: Chunk, state: State, matches: Matches) -> Outcome:
    """Rate the matches of a chunk, each an event of its own."""
    grown_from = position.pool_grown_from
    ledgers: list[Ledger] = []
    state.tally(matches)
    after = chunk.after
    while after < chunk.last:
        version = position.version_at(after + 1)
        if grown_from is None and after % POOL_STEP == 0 and _has_grown(state, version):
            grown_from = after + 1
        last = min(chunk.last, _stretch_end(position, after, is_growing=grown_from is None))
        start, stop = np.searchsorted(matches.seq, [after, last], side="right").tolist()
        part = matches.part(start, stop)
        if len(part):  # else all of them have been annulled
            ledgers.append(_rate(state, part, version, all_count=grown_from is None))
        after = last
    return Outcome(
        matches=len(matches),
        state=state,
        ledger=join(ledgers),
        periods=(),
        rated_seq=chunk.last,
        closed_periods=0,
        pool_grown_from=grown_from,
    )


def _stretch_end(position: Position, after: int, *, is_growing: bool) -> int:
    """Return the last place up to which neither the parameters nor the pool's flag can change."""
    ends = [version.applies_from - 1 for version in position.versions]
    if is_growing:
        ends.append((after // POOL_STEP + 1) * POOL_STEP)
    return min((end for end in ends if end > after), default=position.last_seq)


def _has_grown(state: State, version: Version) -> bool:
    """Whether enough players are established by now. Once grown, a pool stays so."""
    everyone = state.take(np.arange(len(state.player)), version.system)
    established = np.count_nonzero(version.system.status(everyone) == Status.ESTABLISHED)
    return bool(established >= version.pool_minimum)


def _rate(state: State, matches: Matches, version: Version, *, all_count: bool) -> Ledger:
    system = version.system
    who, first, second = players_of(matches.first, matches.second, len(state.player))
    duels = Duels(first, second, matches.score)
    after, changes = system.rate_explained(state.take(who, system), duels, all_count=all_count)
    state.put(who, after, system.status(after))
    for side in (matches.first, matches.second):
        np.maximum.at(state.as_of, side, matches.counts_at)
    return match_rows(state.player[who], matches, changes)
