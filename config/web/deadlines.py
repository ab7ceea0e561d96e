"""Deadlines: a request that waits for the database for too long is ended, and the session with it.

A PostgreSQL that is stopped, or behind a proxy that takes everything and passes nothing on, looks alive to TCP. Nobody
else would ever tell. What waits is woken by taking the connection away, so that it meets what it knows: a database that
went away. A transaction ends with its connection, as soon as the server notices.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import gevent
from gevent.monkey import get_original

__all__ = ["Deadline", "look_at_sessions", "within"]

_socket = get_original("socket", "socket")
_poll, _POLLIN = get_original("select", "poll"), 1
_SHUT_RDWR = 2
_LOOKS = 4  # the server says why it ends a session before it does
_AGAIN = 1.0  # seconds after which a request that goes on nevertheless is ended once more


class Deadline:
    """That of one request, which is answered by the greenlet that makes this."""

    def __init__(self, seconds: float) -> None:
        from django.db import connections  # not before gevent replaces what it is made of

        self.is_over = False
        self._database: Any = connections["default"]
        self._greenlet = gevent.getcurrent()
        self._taken_away: object = None
        self._began = time.monotonic()
        self._until = self._began + seconds
        self._timer: Any = None
        self._wait(seconds)

    def allow(self, seconds: float) -> None:
        """Let the request take so long from its beginning."""
        self._until = self._began + seconds
        self._wait(self._until - time.monotonic())

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Let no time pass while the caller is waited for."""
        self._stop()
        began = time.monotonic()
        try:
            yield
        finally:
            waited = time.monotonic() - began
            self._began += waited
            self._until += waited
            self._wait(self._until - time.monotonic())

    @contextmanager
    def finishing(self, seconds: float) -> Iterator[None]:
        """End nothing in the block for so long, whether the time is over or not."""
        self._wait(max(seconds, self._until - time.monotonic()))
        try:
            yield
        finally:
            self._wait(_AGAIN if self.is_over else self._until - time.monotonic())

    def end(self) -> None:
        """The request is answered. A connection that was taken away is given back to nobody."""
        self._stop()
        if self.is_over and (session := self._database.connection) is not None:
            with suppress(Exception):
                session.close()
            with suppress(Exception):
                self._database.close()

    def _wait(self, seconds: float) -> None:
        self._stop()
        self._timer = gevent.get_hub().loop.timer(max(0.001, seconds))
        self._timer.start(self._act)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer.close()
            self._timer = None

    def _act(self) -> None:
        """Wake the request. Nothing here may wait: it runs in the loop that serves everybody."""
        from django.db import OperationalError

        self.is_over = True
        self._wait(_AGAIN)
        session = self._database.connection
        if session is None or session is self._taken_away:
            # It waits for a connection, or for something else. No other class of exceptions: the pool would go on to
            # keep a connection for who was woken by it.
            self._greenlet.throw(OperationalError("the time of the request is over"))
            return
        self._taken_away = session
        self._database.errors_occurred = True  # else it may rest in the pool until somebody asks
        # Where it is gone already there is nothing to take away.
        with suppress(Exception), _socket(fileno=os.dup(session.pgconn.socket)) as copy:
            copy.shutdown(_SHUT_RDWR)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """The same for what no request waits for."""
    one = Deadline(seconds)
    try:
        yield
    finally:
        one.end()


def look_at_sessions() -> None:
    """Let the pool see by itself whether a connection was closed. To ask the server might take for ever."""
    from psycopg_pool import ConnectionPool

    setattr(ConnectionPool, "check_connection", staticmethod(_look))  # noqa: B010 - for mypy


def _look(session: Any) -> None:
    """Raise an error when the other side has closed the connection."""
    from psycopg import OperationalError
    from psycopg.pq import ConnStatus

    poll = _poll()
    poll.register(session.pgconn.socket, _POLLIN)
    for _ in range(_LOOKS):
        if not poll.poll(0):
            return
        session.pgconn.consume_input()  # its last words, perhaps, or those of its neighbours
        if session.pgconn.status != ConnStatus.OK:
            raise OperationalError("the connection was closed")
    raise OperationalError("the connection says what nobody asked for")
