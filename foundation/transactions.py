"""Short transactions that hold rows others wait for: ended by the server when their process stops."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from foundation.own_time import by_the_clock

__all__ = ["briefly", "idle_limit", "limits"]

_LIMITS = """
SELECT set_config('idle_in_transaction_session_timeout', '{idle}', true), set_config('lock_timeout', '5s', true),
       set_config('statement_timeout', '10s', true)
"""


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
