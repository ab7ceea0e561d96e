"""What happens to a call on its way: its session is ended, an error is thrown into it, or another comes between."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import psycopg
from django.db import InterfaceError, OperationalError, connection, connections
from psycopg.errors import IdleInTransactionSessionTimeout

__all__ = [
    "Companion",
    "KilledError",
    "after_statement",
    "ended_by_server",
    "kill",
    "survives",
    "terminate",
    "until_the_dead_are_gone",
]

_LET_GO = 0.05  # seconds: by then the other is done, or waits for what we hold
_WRITERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xid IS NOT NULL
"""


class KilledError(BaseException):
    """Ends a call wherever it is, as no code of the product expects."""


def kill() -> None:
    """End the call by an error."""
    raise KilledError


def terminate() -> None:
    """End the session, as the server does for whoever is gone; the call finds out with its next statement."""
    info = connection.connection.info
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as helper:
        helper.execute("SELECT pg_terminate_backend(%s, 10000)", [info.backend_pid])


@contextmanager
def after_statement(number: int, act: Callable[[], object]) -> Iterator[None]:
    """Do something once so many statements have been executed in the block; never, where there are fewer.

    After the block there is a new session where the old one was ended.
    """
    left = number

    def count(execute: Callable[..., Any], *given: Any) -> Any:
        nonlocal left
        result = execute(*given)
        left -= 1
        if left == 0:
            act()
        return result

    try:
        with connection.execute_wrapper(count):
            yield
    finally:
        if left <= 0 and act is terminate:
            connection.close()  # what came to its end by then has not noticed


def survives(call: Callable[[], object]) -> bool:
    """Whether a call comes to its end; its session is new afterwards where it was ended."""
    try:
        call()
    except KilledError:
        return False
    except Exception as error:
        if not ended_by_server(error) or "deadlock" in str(error):
            raise
        connection.close()
        return False
    return True


def until_the_dead_are_gone() -> None:
    """Wait until no other session has locks: on a busy machine the server notices late that a client has gone."""
    for _ in range(3000):
        with connection.cursor() as cursor:
            cursor.execute(_WRITERS)
            if cursor.fetchone() == (0,):
                return
        time.sleep(0.01)
    raise TimeoutError("a session that nobody uses does not end")


def ended_by_server(error: Exception) -> bool:
    """Whether that is what a call meets whose session was ended, be it for having been silent on a busy machine."""
    lost = (OperationalError, InterfaceError, psycopg.OperationalError)
    return isinstance(error, lost) or isinstance(error.__cause__, IdleInTransactionSessionTimeout)


class Companion(AbstractContextManager["Companion"]):
    """A second process, as it were: one thread with a session of its own."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1)
        self._running: Future[bool] | None = None

    @contextmanager
    def comes_between(self, number: int, call: Callable[[], object]) -> Iterator[None]:
        """Let it do something once so many statements of the block have been executed, else after the block."""
        try:
            with after_statement(number, lambda: self._begin(call)):
                yield
        finally:
            if self._running is None:
                self._begin(call)
            running, self._running = self._running, None
            if running is not None:
                running.result(timeout=600)

    def _begin(self, call: Callable[[], object]) -> None:
        """Let it do something; returns when that is done, or waits for somebody."""
        self._running = self._pool.submit(survives, call)
        wait([self._running], timeout=_LET_GO)

    def __exit__(self, *_error: object) -> None:
        self._pool.submit(connections.close_all).result()
        self._pool.shutdown()
