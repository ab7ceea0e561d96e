"""Transactions: short ones that hold rows others wait for, readings as of one moment, and calls after a commit.

Short ones are ended by the server when their process stops. Readings see the database as it was at their first query,
whatever others commit in between.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial, update_wrapper, wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from django.db import connection, transaction

from foundation import clock

__all__ = [
    "LIMITS",
    "after_commit",
    "briefly",
    "clock_seconds_for",
    "from_one_snapshot",
    "idle_limit",
    "one_snapshot",
]

# What sets the limits of a short transaction, from within it, and says what time it is there.
LIMITS = """
SELECT coalesce(%(at)s::timestamptz, now()) AS at,
       set_config('idle_in_transaction_session_timeout', %(idle)s, true), set_config('lock_timeout', '5s', true),
       set_config('statement_timeout', '10s', true)
"""
# Where Linux says how long this process has computed, and how long it stood ready while others were served.
_SCHEDSTAT = Path("/proc/self/schedstat")
_LOOKS_BACK = 10.0  # seconds
_EVERY = 1.0
_AT_MOST = 10.0  # times as long: a process that has stopped must be found out at last
_seen: deque[tuple[float, float, float]] = deque()  # when, seconds computed, seconds waited

P = ParamSpec("P")
R = TypeVar("R")


@contextmanager
def briefly() -> Iterator[datetime]:
    """Enter a transaction whose session ends after 2 s idle, of its own, and whose waits for a lock end after 5 s.

    Gives the time, as `clock.now()` does.

    Raises OperationalError when a lock does not come in time: nothing has been done, and trying again is right.
    Inside a transaction it is a savepoint, and the limits hold until the outer one ends.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(LIMITS, {"at": clock.replaced(), "idle": idle_limit()})
            now: datetime = cursor.fetchone()[0]
        yield now


def idle_limit() -> str:
    """How long a short transaction may rest between two statements, for PostgreSQL.

    It has nothing to wait for there, and a process that stops must not keep its rows. One that gets no processor has
    not stopped: on a busy machine two seconds of its own take longer.
    """
    return f"{clock_seconds_for(2)}s"


def clock_seconds_for(own_seconds: float) -> int:
    """In how many seconds of the clock this process gets so many to itself, by what the last ten seconds were like.

    Limits that are there for processes which have stopped must not strike those that merely wait for a processor.
    """
    computed, waited = 0.0, 0.0
    with suppress(OSError, ValueError, IndexError):  # this kernel does not count
        first, second = _SCHEDSTAT.read_text(encoding="ascii").split()[:2]
        computed, waited = int(first) / 1e9, int(second) / 1e9
    now = time.monotonic()
    while len(_seen) > 1 and _seen[1][0] < now - _LOOKS_BACK:
        _seen.popleft()
    if not _seen or now >= _seen[-1][0] + _EVERY:
        _seen.append((now, computed, waited))
    since_computed, since_waited = computed - _seen[0][1], waited - _seen[0][2]
    slower = 1 + since_waited / since_computed if since_computed > 0 else 1.0
    return round(own_seconds * min(_AT_MOST, max(1.0, slower)))


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Let all queries in the block see the database as it was at the first of them. Nothing can be written.

    Inside a transaction it changes nothing: what that sees was decided when it began.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def from_one_snapshot(view: Callable[P, R]) -> Callable[P, R]:
    """Let a view read from one snapshot: a track that is replaced meanwhile leaves no half page."""

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> R:
        with one_snapshot():
            return view(*args, **kwargs)

    return answer


def after_commit(function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Call a function once the transaction has committed; at once where there is none.

    What it raises is logged, and keeps nothing else from being done: what was committed is committed, and its caller
    is told so.
    """
    # Django names in its log what has failed, and a partial has no name.
    transaction.on_commit(update_wrapper(partial(function, *args, **kwargs), function), robust=True)
