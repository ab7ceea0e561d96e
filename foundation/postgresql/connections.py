"""Connections to PostgreSQL: attempts that are given up, and failures that are the database's, not the code's."""

from collections.abc import Generator
from functools import wraps
from typing import Any

import psycopg
from django.db import InterfaceError, InternalError, OperationalError
from psycopg import errors, waiting

__all__ = ["close_abandoned_attempts", "is_database_away"]

# PostgreSQL ends sessions that rest for too long within a transaction. In its order of errors these are faults of the
# caller, which a process that was stopped, or got no processor for a while, has not made.
_SESSION_ENDED = (errors.IdleInTransactionSessionTimeout, errors.TransactionTimeout)
# Django passes on what COPY meets as it is.
_AWAY = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)

_wait = waiting.wait_conn


def is_database_away(error: BaseException | None) -> bool:
    """Whether the database is away or busy, or has ended the session: the same may succeed when tried again.

    What was not committed was not done.
    """
    if isinstance(error, InternalError):
        return isinstance(error.__cause__, _SESSION_ENDED)
    return isinstance(error, _AWAY)


def close_abandoned_attempts() -> None:
    """Let this process close a connection that it began to open as soon as it gives that up.

    psycopg leaves it to Python's collector of circles, which may come much later: a server that was silent for a
    minute finds all attempts open when it goes on, and each takes one of the sessions that it has.
    """
    setattr(waiting, "wait_conn", _wait_and_close)  # noqa: B010 - for mypy


@wraps(_wait)
def _wait_and_close(gen: Generator[Any, Any, Any], *args: Any, **kwargs: Any) -> Any:
    try:
        return _wait(gen, *args, **kwargs)
    except BaseException:
        gen.close()
        raise
