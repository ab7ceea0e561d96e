"""The one clock. PostgreSQL's time, so that all processes agree; replaceable for tests, imports and simulations."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

from django.db import connection

__all__ = ["at", "now", "replaced"]

_replaced: ContextVar[datetime | None] = ContextVar("replaced_time", default=None)


def now() -> datetime:
    """Time of the current transaction (outside one: of this statement), with time zone.

    Inside a transaction every call gives the same time, as PostgreSQL's own now() does.
    """
    replaced = _replaced.get()
    if replaced is not None:
        return replaced
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        row: tuple[datetime] = cursor.fetchone()
    return row[0]


def replaced() -> datetime | None:
    """The moment that stands for now, None while PostgreSQL's own does: for SQL, as `coalesce(%s, now())`."""
    return _replaced.get()


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Let `now()` give `moment` inside the block, in this thread of control only.

    Raises ValueError for a moment without time zone: it would be compared with moments that have one.
    """
    if moment.tzinfo is None:
        raise ValueError(f"moment {moment.isoformat()} has no time zone; give one, such as UTC")
    token = _replaced.set(moment)
    try:
        yield
    finally:
        _replaced.reset(token)
