"""Statements that PostgreSQL plans once a session, not once a request: those that every request of the API waits for.

To plan a statement with many joins takes it ten times as long as to carry it out.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection

__all__ = ["prepared"]

_AFTER = 5  # times; Django lets sessions prepare nothing, not even what asks for it


class _Cursor(psycopg.Cursor[Any]):
    """Values go by themselves, and each statement is prepared with its first use."""

    def execute(self, query: Any, params: Any = None, **_options: Any) -> "_Cursor":
        return super().execute(query, params, prepare=True)


@contextmanager
def prepared() -> Iterator[Any]:
    """A cursor as `connection.cursor()` gives it, on the same session, for one statement at a time.

    Its text must be the same each time, and the kind of every value plain from its place or a cast.
    """
    own: Any = connection
    if own.queries_logged:  # with the values in them
        with connection.cursor() as cursor:
            yield cursor
        return
    connection.ensure_connection()
    own.connection.prepare_threshold = _AFTER
    with own._prepare_cursor(_Cursor(own.connection)) as cursor:
        yield cursor
