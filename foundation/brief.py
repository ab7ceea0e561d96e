"""Short transactions that hold rows others wait for: ended by the server when their process stops."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

__all__ = ["LIMITS", "briefly"]

# Between two statements such a transaction has nothing to wait for; a process that stops there must not keep its rows.
LIMITS = """
SELECT set_config('idle_in_transaction_session_timeout', '2s', true), set_config('lock_timeout', '5s', true),
       set_config('statement_timeout', '10s', true)
"""


@contextmanager
def briefly() -> Iterator[None]:
    """Enter a transaction whose session ends after 2 s idle, and whose waits for a lock end after 5 s.

    Raises OperationalError when a lock does not come in time: nothing has been done, and trying again is right.
    Inside a transaction it is a savepoint, and the limits hold until the outer one ends.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(LIMITS)
        yield
