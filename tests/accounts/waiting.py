"""Work of another session that has to wait for this one's transaction."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import connection, transaction

from config.embedded.processes import wait_until

__all__ = ["waiting_for_us"]

T = TypeVar("T")


@contextmanager
def waiting_for_us(work: Callable[[], T]) -> Iterator[list[T]]:
    """The block is a transaction that ends once `work`, in a thread of its own, waits for it; gives what that gave."""
    returned: list[T] = []

    def run() -> None:
        try:
            returned.append(work())
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    with transaction.atomic():
        yield returned
        thread.start()
        assert wait_until(_someone_waits, seconds=60)
    thread.join()


def _someone_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks"
            " WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
        )
        return bool(cursor.fetchone()[0])
