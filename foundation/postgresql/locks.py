"""Advisory locks: one writer for each thing, held until the transaction ends."""

import enum
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction

__all__ = [
    "Lock",
    "alone",
    "hold",
    "key_of",
    "require_own_session",
    "together",
    "try_alone",
    "try_hold",
]

_ASK_EVERY = 0.2  # seconds


class Lock(enum.IntEnum):
    """What is locked. The number tells apart things of different kinds with equal primary keys."""

    LADDER = 1
    BOARD = 2
    OUTBOX = 3
    CLOCK = 4
    TABLES = 5
    BACKUP = 6
    ADMINS = 7  # as in the migration of accounts that has a trigger take it
    TALK = 8


def key_of(kind: Lock, pk: int) -> int:
    """Both in one 64-bit key: the primary key in the lower 48 bits, the kind above."""
    return (int(kind) << 48) | pk


def _require_transaction() -> None:
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError(
            "a lock lasts until the transaction ends, and there is none; enter transaction.atomic() first"
        )


def hold(kind: Lock, pk: int) -> None:
    """Wait for the lock. Take it first in the transaction, then read: what is read before may be old."""
    _require_transaction()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key_of(kind, pk)])


def try_hold(kind: Lock, pk: int) -> bool:
    """Take the lock if it is free; False when another has it and will do the work."""
    _require_transaction()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [key_of(kind, pk)])
        row: tuple[bool] = cursor.fetchone()
    return row[0]


@contextmanager
def alone(kind: Lock) -> Iterator[None]:
    """Wait for a lock of this session, over as many transactions as there are inside. It may be held already.

    It asks again and again: who waits inside a statement would be waited for by an index that is made CONCURRENTLY.
    """
    while not _take(kind, "pg_try_advisory_lock"):
        time.sleep(_ASK_EVERY)
    try:
        yield
    finally:
        _let_go(kind, "pg_advisory_unlock")


@contextmanager
def together(kind: Lock) -> Iterator[None]:
    """Wait for a share of the lock that `alone` takes: others may have one too, and whoever wants it alone waits."""
    while not _take(kind, "pg_try_advisory_lock_shared"):
        time.sleep(_ASK_EVERY)
    try:
        yield
    finally:
        _let_go(kind, "pg_advisory_unlock_shared")


@contextmanager
def try_alone(kind: Lock) -> Iterator[bool]:
    """Hold a lock of this session as `alone` does, if it is free; gives whether it was."""
    is_free = _take(kind, "pg_try_advisory_lock")
    try:
        yield is_free
    finally:
        if is_free:
            _let_go(kind, "pg_advisory_unlock")


def _take(kind: Lock, function: str) -> bool:
    require_own_session()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s)", [key_of(kind, 0)])
        row: tuple[bool] = cursor.fetchone()
    return row[0]


def _let_go(kind: Lock, function: str) -> None:
    if not connection.needs_rollback:  # else the session takes no statement, and ends with its lock
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s)", [key_of(kind, 0)])


def require_own_session() -> None:
    """Raise ImproperlyConfigured where each transaction may get another session: what one holds would be anybody's."""
    if settings.DATABASE_POOLER:
        raise ImproperlyConfigured(
            "Workers and commands need sessions of their own: give them the address of PostgreSQL itself in "
            "DATABASE_URL, not that of a pooler, and leave EVENMATCH_DATABASE_POOLER out. Web servers may have both."
        )
