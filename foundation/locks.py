"""Advisory locks: one writer for each thing, held until the transaction ends."""

import enum
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

__all__ = ["Lock", "alone", "hold", "key_of", "try_hold"]

_ASK_EVERY = 0.2  # seconds


class Lock(enum.IntEnum):
    """What is locked. The number tells apart things of different kinds with equal primary keys."""

    LADDER = 1
    BOARD = 2
    OUTBOX = 3
    CLOCK = 4
    TABLES = 5


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
    with connection.cursor() as cursor:
        while True:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [key_of(kind, 0)])
            if cursor.fetchone() == (True,):
                break
            time.sleep(_ASK_EVERY)
    try:
        yield
    finally:
        if (
            not connection.needs_rollback
        ):  # else the session takes no statement, and ends with its lock
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [key_of(kind, 0)])
