"""Leases: who is at work on a thing now. And the ending of sessions whose process has stopped.

A lease spares others the work and tells them when somebody is gone. That nothing is done twice does not rest on it:
what is written is checked again under a lock. There are two kinds, by who holds them:

- `SessionLease`: a session of PostgreSQL. Whoever finds one past its deadline ends that session and takes over. For
  work of minutes that nobody else can do meanwhile: rating a track (`ratings.runs.run`).
- `TokenLease`: whoever knows the token, which every write asks for. Whoever is late is not ended, but writes nothing
  any more. For work of a second, again and again: sweeping a queue (`matchmaking.sweep.lease`).

The order, everywhere the same:

1. The lease, in a statement of its own, while no lock is held. It is extended between transactions, or by who holds
   the row that it stands in.
2. Reading and computing, without any lock.
3. The locks of the transaction that writes, in the order of docs/architecture.md, and the check that what was read
   still holds: by the token, or by the revision of the track.

Whoever waits for a lock holds it for milliseconds once it comes (`hold_firmly`). So a session that has one and has been
waiting for its client for seconds belongs to a process that has stopped, and is ended. A session that works, or waits
for a lock itself, never is.

All of this names sessions by the number of their process in PostgreSQL: a client needs the same session from one
transaction to the next.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from uuid import UUID, uuid4

import structlog
from django.db import Error as DatabaseError
from django.db import OperationalError, connection, transaction
from psycopg import errors

from foundation.postgresql.locks import Lock, hold, key_of, require_own_session

__all__ = ["DEADLINE_SECONDS", "SessionLease", "TokenLease", "end_stuck_holders", "hold_firmly"]

log = structlog.get_logger(__name__)

# Between statements the holder of a lock has nothing to think about: it computed before it took the lock.
DEADLINE_SECONDS = 20
_WAIT_SECONDS = 2
# The holder of a row that a lease stands in writes for less than that.
_STUCK_WRITER_SECONDS = 1.5
_POLL_SECONDS = 0.1

# A stopped process keeps its transaction: idle, or in the middle of sending and receiving rows. PostgreSQL's
# own timeouts do not reach the latter, so whoever waits ends it.
_END_STUCK_HOLDERS = """
SELECT activity.pid, pg_terminate_backend(activity.pid)
FROM pg_locks AS held JOIN pg_stat_activity AS activity USING (pid)
WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 1
  AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (held.classid::bigint << 32) + held.objid::bigint = %(key)s
  AND activity.wait_event_type = 'Client'
  AND activity.state_change < clock_timestamp() - make_interval(secs => %(seconds)s)
"""
# Which of a table's rows a session holds is known to nobody but those who wait for it; that it holds any is.
_END_STUCK_WRITERS = """
SELECT activity.pid, pg_terminate_backend(activity.pid) FROM pg_stat_activity AS activity
WHERE activity.datname = current_database() AND activity.usename = current_user
  AND activity.pid <> pg_backend_pid() AND activity.wait_event_type = 'Client'
  AND activity.state_change < clock_timestamp() - make_interval(secs => %(seconds)s)
  AND EXISTS (
    SELECT FROM pg_locks AS held WHERE held.pid = activity.pid AND held.locktype = 'relation'
    AND held.relation = %(table)s::regclass AND held.mode IN ('RowShareLock', 'RowExclusiveLock'))
"""

_OTHER_IS_ALIVE = """
EXISTS (SELECT FROM pg_stat_activity AS activity
        WHERE activity.pid = lease.backend AND activity.backend_start = lease.backend_started_at
          AND activity.pid <> pg_backend_pid())
"""
_END_OVERDUE = f"""
SELECT lease.backend, pg_terminate_backend(lease.backend) FROM {{table}} AS lease
WHERE lease.{{key}} = %(pk)s AND lease.deadline < clock_timestamp() AND {_OTHER_IS_ALIVE}
"""  # noqa: S608 - constants
# Takes a free lease, that of a session that is gone, and that of one past its deadline.
_TAKE_BY_SESSION = f"""
INSERT INTO {{table}} AS lease ({{key}}, backend, backend_started_at, claimed_at, deadline)
SELECT %(pk)s, pid, backend_start, clock_timestamp(), clock_timestamp() + make_interval(secs => %(seconds)s)
FROM pg_stat_activity WHERE pid = pg_backend_pid()
ON CONFLICT ({{key}}) DO UPDATE
SET backend = excluded.backend, backend_started_at = excluded.backend_started_at,
    claimed_at = excluded.claimed_at, deadline = excluded.deadline
WHERE lease.deadline < clock_timestamp() OR NOT {_OTHER_IS_ALIVE}
"""  # noqa: S608 - constants
_EXTEND_OF_SESSION = """
UPDATE {table} SET deadline = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE {key} = %(pk)s AND backend = pg_backend_pid()
"""
_RELEASE_OF_SESSION = "DELETE FROM {table} WHERE {key} = %(pk)s AND backend = pg_backend_pid()"

# What nobody holds, or whose holder is past the deadline or gone. A session's number may be used again: then the
# deadline decides. The session that the server has ended for being idle is gone too.
_FREE = """
({name}_until IS NULL OR {name}_until < clock_timestamp()
 OR NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = {name}_backend))
"""
_IS_FREE = f"SELECT count(*) FROM {{table}} WHERE id = %(pk)s AND {_FREE}"  # noqa: S608 - constants
# Whoever has the row is writing, and need not be waited for.
_TAKE_BY_TOKEN = f"""
UPDATE {{table}} SET {{name}}_token = %(token)s, {{name}}_backend = pg_backend_pid(),
       {{name}}_until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE id = (SELECT id FROM {{table}} WHERE id = %(pk)s AND {_FREE} FOR NO KEY UPDATE SKIP LOCKED)
"""  # noqa: S608 - constants
_OWN_ROW = (
    "SELECT id FROM {table} WHERE id = %(pk)s AND {name}_token = %(token)s"
    " FOR NO KEY UPDATE SKIP LOCKED"
)
_EXTEND_OF_TOKEN = f"""
UPDATE {{table}} SET {{name}}_until = clock_timestamp() + make_interval(secs => %(seconds)s) WHERE id = ({_OWN_ROW})
"""  # noqa: S608 - constants
_RELEASE_OF_TOKEN = (
    f"UPDATE {{table}} SET {{name}}_token = NULL, {{name}}_until = NULL WHERE id = ({_OWN_ROW})"  # noqa: S608
)


@dataclass(frozen=True, slots=True)
class SessionLease:
    """Leases that belong to sessions, a row each.

    table  has the columns `key`, backend, backend_started_at, claimed_at and deadline; a row goes with its lease
    key    the column that says of what the lease is
    event  what the log calls the ending of a session that is past its deadline
    """

    table: str
    key: str
    event: str

    @contextmanager
    def held(self, pk: int, *, seconds: float, wait: bool) -> Iterator[bool]:
        """Hold the lease inside the block; gives False when another has it and `wait` is off.

        A session past its deadline belongs to a process that has stopped: it is ended, and its lease taken over.
        """
        taken = self._take(pk, seconds)
        while wait and not taken:
            time.sleep(_POLL_SECONDS)
            taken = self._take(pk, seconds)
        try:
            yield taken
        finally:
            if taken:
                with suppress(DatabaseError):  # a session that is gone has lost its lease already
                    self._execute(_RELEASE_OF_SESSION, pk)

    def extend(self, pk: int, *, seconds: float) -> None:
        """Let the lease last for so long from now on, if this session has it."""
        self._execute(_EXTEND_OF_SESSION, pk, seconds)

    def _take(self, pk: int, seconds: float) -> bool:
        require_own_session()
        statement = _END_OVERDUE.format(table=self.table, key=self.key)
        what = {self.key.removesuffix("_id"): pk}
        _end_sessions(statement, {"pk": pk}, event=self.event, what=what)
        return self._execute(_TAKE_BY_SESSION, pk, seconds)

    def _execute(self, statement: str, pk: int, seconds: float = 0.0) -> bool:
        with connection.cursor() as cursor:
            words = statement.format(table=self.table, key=self.key)
            cursor.execute(words, {"pk": pk, "seconds": seconds})
            return bool(cursor.rowcount)


@dataclass(frozen=True, slots=True)
class TokenLease:
    """Leases that stand in the row of what they are of, and belong to whoever knows the token.

    table  has the columns id, and `name`_token, `name`_backend and `name`_until
    """

    table: str
    name: str

    def take(self, pk: int, *, seconds: float) -> UUID | None:
        """Take the lease; None while another has it.

        Where it is free and yet the row is held, the holder of that may have stopped in the middle of writing: a
        session that has waited for its client for so long is ended.
        """
        require_own_session()
        token = uuid4()
        if self._execute(_TAKE_BY_TOKEN, pk, token, seconds):
            return token
        with connection.cursor() as cursor:
            cursor.execute(_IS_FREE.format(table=self.table, name=self.name), {"pk": pk})
            is_held = bool(cursor.fetchone()[0])
        if not is_held or not end_stuck_writers(self.table, seconds=_STUCK_WRITER_SECONDS):
            return None
        return token if self._execute(_TAKE_BY_TOKEN, pk, token, seconds) else None

    def hold_row(self, pk: int, token: UUID) -> bool:
        """Hold the row until the transaction ends. False when the lease is another's by now, or another has the row."""
        return self._execute(_OWN_ROW, pk, token)

    def extend(self, pk: int, token: UUID, *, seconds: float) -> None:
        """Let the lease last for so long from now on, if it is still held."""
        self._execute(_EXTEND_OF_TOKEN, pk, token, seconds)

    def release(self, pk: int, token: UUID) -> None:
        """Give the lease back, if it is still held."""
        with suppress(DatabaseError):  # it ends by itself
            self._execute(_RELEASE_OF_TOKEN, pk, token)

    def _execute(self, statement: str, pk: int, token: UUID, seconds: float = 0.0) -> bool:
        with connection.cursor() as cursor:
            words = statement.format(table=self.table, name=self.name)
            cursor.execute(words, {"pk": pk, "token": token, "seconds": seconds})
            return bool(cursor.rowcount)


def hold_firmly(kind: Lock, pk: int, *, until: float | None = None) -> None:
    """Take the lock, ending a holder that has been waiting for its stopped process past the deadline.

    `until`: when to give up, as `time.monotonic()` counts, for whoever holds what others wait for: OperationalError.
    From here on the transaction is ended by the server when its own process stops between two statements.
    """
    while True:
        seconds: float = _WAIT_SECONDS
        if until is not None:
            seconds = min(seconds, until - time.monotonic())
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL lock_timeout = '{max(1, round(seconds * 1000))}ms'")
                hold(kind, pk)
            break
        except OperationalError as error:
            is_over = until is not None and time.monotonic() >= until
            if is_over or not isinstance(error.__cause__, errors.LockNotAvailable):
                raise
        end_stuck_holders(kind, pk, seconds=DEADLINE_SECONDS)
    with connection.cursor() as cursor:
        # The short wait was for this lock only: it would outlive the savepoint it was set in.
        cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
        cursor.execute(f"SET LOCAL idle_in_transaction_session_timeout = '{DEADLINE_SECONDS}s'")


def end_stuck_holders(kind: Lock, pk: int, *, seconds: float) -> list[int]:
    """End the sessions that hold the lock and have waited for their client for so long; returns their ids."""
    return _end_sessions(
        _END_STUCK_HOLDERS,
        {"key": key_of(kind, pk), "seconds": seconds},
        event="lock.stuck_holder_ended",
        what={"lock": kind.name, "pk": pk},
    )


def end_stuck_writers(table: str, *, seconds: float) -> list[int]:
    """End the sessions that hold rows of a table and have waited for their client for so long; returns their ids.

    For whoever has found a row held that nobody holds for long.
    """
    return _end_sessions(
        _END_STUCK_WRITERS,
        {"table": table, "seconds": seconds},
        event="lock.stuck_writer_ended",
        what={"table": table},
    )


def _end_sessions(
    statement: str, given: Mapping[str, str | float], *, event: str, what: Mapping[str, str | int]
) -> list[int]:
    """End sessions by a statement that returns their ids first in its rows, and log it if there were any."""
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        ended = [row[0] for row in cursor.fetchall()]
    if ended:
        log.warning(event, **what, backends=ended)
    return ended
