"""Statements that PostgreSQL plans once a session, not once a request: those that every request of the API waits for.

To plan a statement with many joins takes it ten times as long as to carry it out. Left to itself it plans most of them
each time nevertheless: not knowing how many ids there will be, it takes them for more than one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import errors
from psycopg.pq import TransactionStatus

__all__ = ["prepared"]

# Times after which a statement is prepared that does not ask for it: none is. A plan for any values may suit a big read
# badly. Django lets sessions prepare nothing, not even what asks for it.
_UNASKED = 2**31
_planning_once: WeakSet[psycopg.Connection[Any]] = WeakSet()


class _Cursor(psycopg.Cursor[Any]):
    """Values go by themselves, and each statement is prepared with its first use.

    Another process may have given a column another type since then: then it is prepared anew. Within a transaction
    nothing can be repeated; when that is rolled back, psycopg forgets what was prepared.
    """

    def execute(self, query: Any, params: Any = None, **_options: Any) -> "_Cursor":
        try:
            return super().execute(query, params, prepare=True)
        except errors.FeatureNotSupported:  # "cached plan must not change result type"
            if self.connection.info.transaction_status != TransactionStatus.IDLE:
                raise
            super().execute("DEALLOCATE ALL", prepare=False)  # psycopg forgets them with it
            return super().execute(query, params, prepare=True)


@contextmanager
def prepared() -> Iterator[Any]:
    """A cursor as `connection.cursor()` gives it, on the same session, for one statement at a time.

    Its text must be the same each time, and the kind of every value plain from its place or a cast.
    """
    own: Any = connection
    # A pooler gives the next transaction another session; and what is logged has the values in it.
    if settings.DATABASE_POOLER or own.queries_logged:
        with connection.cursor() as cursor:
            yield cursor
        return
    own.close_if_health_check_failed()
    own.ensure_connection()
    session = own.connection
    session.prepare_threshold = _UNASKED
    # Within a transaction it would be forgotten where that is rolled back.
    if session not in _planning_once and not connection.in_atomic_block:
        with own.wrap_database_errors:
            session.execute("SET plan_cache_mode = force_generic_plan")
        _planning_once.add(session)
    with own._prepare_cursor(_Cursor(session)) as cursor:
        yield cursor
