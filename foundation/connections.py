"""Connections to PostgreSQL that never came about."""

from collections.abc import Generator
from functools import wraps
from typing import Any

from psycopg import waiting

__all__ = ["close_what_is_given_up"]

_wait = waiting.wait_conn


def close_what_is_given_up() -> None:
    """Let this process close what it began to open as soon as it gives that up.

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
