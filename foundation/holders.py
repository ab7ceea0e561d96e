"""Waiting for a lock whose holder may have stopped for good."""

import structlog
from django.db import OperationalError, connection, transaction
from psycopg import errors

from foundation.locks import Lock, hold, key_of

__all__ = ["DEADLINE_SECONDS", "end_stuck_holders", "end_stuck_writers", "hold_firmly"]

log = structlog.get_logger(__name__)

# Between statements a holder has nothing to think about: it computed before it took the lock.
DEADLINE_SECONDS = 20
_WAIT_SECONDS = 2

# A stopped process keeps its transaction: idle, or in the middle of sending and receiving rows. PostgreSQL's
# own timeouts do not reach the latter, so whoever waits ends it.
_END_STUCK = """
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


def hold_firmly(kind: Lock, pk: int) -> None:
    """Take the lock, ending a holder that has been waiting for its stopped process past the deadline.

    From here on the transaction is ended by the server when its own process stops between two statements.
    """
    while not _hold_within(kind, pk, _WAIT_SECONDS):
        end_stuck_holders(kind, pk, seconds=DEADLINE_SECONDS)
    with connection.cursor() as cursor:
        # The short wait was for this lock only: it would outlive the savepoint it was set in.
        cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
        cursor.execute(f"SET LOCAL idle_in_transaction_session_timeout = '{DEADLINE_SECONDS}s'")


def end_stuck_holders(kind: Lock, pk: int, *, seconds: float) -> list[int]:
    """End the sessions that hold the lock and have waited for their client for so long; returns their ids."""
    with connection.cursor() as cursor:
        cursor.execute(_END_STUCK, {"key": key_of(kind, pk), "seconds": seconds})
        ended = [pid for pid, _ in cursor.fetchall()]
    if ended:
        log.warning("lock.stuck_holder_ended", lock=kind.name, pk=pk, backends=ended)
    return ended


def end_stuck_writers(table: str, *, seconds: float) -> list[int]:
    """End the sessions that hold rows of a table and have waited for their client for so long; returns their ids.

    For whoever has found a row held that nobody holds for long.
    """
    with connection.cursor() as cursor:
        cursor.execute(_END_STUCK_WRITERS, {"table": table, "seconds": seconds})
        ended = [pid for pid, _ in cursor.fetchall()]
    if ended:
        log.warning("lock.stuck_writer_ended", table=table, backends=ended)
    return ended


def _hold_within(kind: Lock, pk: int, seconds: float) -> bool:
    """Wait so long for the lock; False when another has it still."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{seconds}s'")
            hold(kind, pk)
    except OperationalError as error:
        if isinstance(error.__cause__, errors.LockNotAvailable):
            return False
        raise
    return True
