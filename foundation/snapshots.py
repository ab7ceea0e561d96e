"""Reading with several queries as of one moment, whatever others commit in between."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import connection, transaction

__all__ = ["from_one_snapshot", "one_snapshot"]

P = ParamSpec("P")
R = TypeVar("R")


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
