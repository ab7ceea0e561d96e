"""Transactions: short ones that hold rows others wait for, and readings as of one moment.

The former are ended by the server when their process stops. The latter see the database as it was at their first query,
whatever others commit in between.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import connection, transaction

from foundation.own_time import by_the_clock

__all__ = ["briefly", "from_one_snapshot", "idle_limit", "limits", "one_snapshot"]

_LIMITS = """
SELECT set_config('idle_in_transaction_session_timeout', '{idle}', true), set_config('lock_timeout', '5s', true),
       set_config('statement_timeout', '10s', true)
"""
P = ParamSpec("P")
R = TypeVar("R")


@contextmanager
def briefly() -> Iterator[None]:
    """Enter a transaction whose session ends after 2 s idle, of its own, and whose waits for a lock end after 5 s.

    Raises OperationalError when a lock does not come in time: nothing has been done, and trying again is right.
    Inside a transaction it is a savepoint, and the limits hold until the outer one ends.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(limits())
        yield


def limits() -> str:
    """What sets the limits of a short transaction, from within it."""
    return _LIMITS.format(idle=idle_limit())


def idle_limit() -> str:
    """How long a short transaction may rest between two statements, for PostgreSQL.

    It has nothing to wait for there, and a process that stops must not keep its rows. One that gets no processor has
    not stopped: on a busy machine two seconds of its own take longer.
    """
    return f"{by_the_clock(2)}s"


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Let all queries in the block see the database as it was at the first of them. Nothing can be written.

    Inside a transaction it changes nothing: what that sees was decided when it began.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def from_one_snapshot(view: Callable[P, R]) -> Callable[P, R]:
    """Let a view read from one snapshot: a track that is replaced meanwhile leaves no half page."""

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> R:
        with one_snapshot():
            return view(*args, **kwargs)

    return answer
