"""Waits of a worker for a PostgreSQL that never answers: they are ended, and nothing that is being worked on is.

A network may forget a connection while something in between still acknowledges what is sent, or the other machine is
stopped: to TCP all is well, and a task would wait until its time is over. A statement may rightly take minutes,
however, so silence alone says nothing. After a while of it PostgreSQL is asked, over another connection, what it does
for the one that waits. If it waits for us while we wait for it, knows of no such session, or does not answer either,
twice in a row, the connection is taken away: all code then meets what it knows, a database that went away.
"""

import os
import socket
import time
from collections.abc import Generator
from contextlib import closing, suppress
from typing import Any, TypeVar

import structlog
from psycopg import Connection, OperationalError
from psycopg.conninfo import make_conninfo
from psycopg.errors import ConnectionTimeout
from psycopg.pq import PGconn, Ping, TransactionStatus

__all__ = ["end_silent_waits"]

log = structlog.get_logger(__name__)

_PATIENCE = 10.0  # seconds that the question may take,
_AT_MOST = 10.0  # or so many times as long, where this process waits for a processor
# At the first an answer may have been on its way, and a server that answers nobody may be about to.
_DOUBTS = 2
_SOONER = 10  # times: the second question
# Whoever is at work waits for locks, disks and processors, and for its client between rows only: but these would come.
# With a pooler in between, the number by which a session goes with us is not that of a process of PostgreSQL.
_QUESTION = """
SELECT pg_backend_pid() <> %(own)s
       OR EXISTS (SELECT FROM pg_stat_activity WHERE pid = %(pid)s AND wait_event_type IS DISTINCT FROM 'Client')
"""
_wait = Connection.wait

Result = TypeVar("Result")
Waiting = Generator[
    Any, Any, Result
]  # gives what it waits for; is sent what came, 0 for nothing in a while


def end_silent_waits(seconds: float) -> None:
    """Let no wait of this process, or of those forked from it, go on for much longer with nobody at work."""

    def wait(
        self: Connection[Any],
        gen: Waiting[Result],
        interval: float = 0.1,
        timeout: float | None = None,
    ) -> Result:
        return _wait(self, _listening(self, gen, seconds, interval), interval, timeout)

    setattr(Connection, "wait", wait)  # noqa: B010 - for mypy


def _listening(
    session: Connection[Any], gen: Waiting[Result], seconds: float, interval: float
) -> Waiting[Result]:
    """Wait as `gen` does.

    Silence is counted in waits that were in vain, not by the clock: to a process that was stopped, or got no
    processor, what came meanwhile is there at once.
    """
    silence, doubts, until, since = 0.0, 0, seconds, time.monotonic()
    try:
        waits_for = next(gen)
        while True:
            came = yield waits_for
            if came != 0 or session.pgconn.transaction_status != TransactionStatus.ACTIVE:
                silence, doubts, until, since = 0.0, 0, seconds, time.monotonic()
            elif doubts == _DOUBTS:
                log.warning("database.silent", backend=session.info.backend_pid)
                # The connection is shut down; what waits finds it closed.
                with suppress(OSError), socket.socket(fileno=os.dup(session.pgconn.socket)) as copy:
                    copy.shutdown(socket.SHUT_RDWR)
                doubts = 0
            else:
                silence += interval
                if silence >= until:
                    slower = min(_AT_MOST, max(1.0, (time.monotonic() - since) / silence))
                    patience = round(slower * min(_PATIENCE, seconds))
                    doubts = 0 if _may_be_at_work(session, patience) else doubts + 1
                    silence, until = 0.0, seconds / _SOONER if doubts else seconds
                    since = time.monotonic()
            waits_for = gen.send(came)
    except StopIteration as end:
        result: Result = end.value
        return result


def _may_be_at_work(session: Connection[Any], patience: int) -> bool:
    """Whether PostgreSQL works for the session, or is there and cannot be asked. False when nobody answers."""
    own = session.info
    given: dict[str, Any] = {**own.get_parameters(), "password": own.password}
    asked = make_conninfo("", **{**given, "connect_timeout": patience})
    try:
        with closing(_Asking.connect(asked, autocommit=True)) as other:
            other.patience = patience
            numbers = {"own": other.info.backend_pid, "pid": own.backend_pid}
            row = other.execute(_QUESTION, numbers).fetchone()
    except ConnectionTimeout:
        return False
    except OperationalError:
        # It may have no connection left for us, or take no new ones because it is about to stop.
        return PGconn.ping(asked.encode()) in (Ping.OK, Ping.REJECT)
    return row == (True,)


class _Asking(Connection[tuple[Any, ...]]):
    """A connection that waits for nothing for long."""

    patience: float | None = None

    def wait(
        self, gen: Waiting[Result], interval: float = 0.1, timeout: float | None = None
    ) -> Result:
        return _wait(self, gen, interval, self.patience)
