"""A deed done by a process of its own, which is killed at a moment that chance, or the database, chooses."""

import random
import signal
import time
from unittest.mock import patch

from django.db import connection, transaction

from foundation import wakeups
from ratings.tasks import rate_due_tracks
from tests.histories.deeds import Deed, Place, do
from tests.processes import Running, hear, running, say, wait_until
from tests.ratings.arena import late

__all__ = ["end", "own_backend", "strike"]

_AIM_SECONDS = 60.0
# A session gets the number of a transaction with the first row that it writes or holds in it, and the lock of those
# who write with the first that it writes.
_WRITES = """
SELECT count(*) FROM pg_stat_activity AS session
WHERE pid = %s AND backend_xid IS NOT NULL AND application_name <> 'worker' AND EXISTS (
    SELECT FROM pg_locks AS held
    WHERE held.pid = session.pid AND held.mode = 'RowExclusiveLock' AND held.locktype = 'relation')
"""
_IS_THERE = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"


def strike(deed: Deed, place: Place, *, day: float, dice: random.Random, aimed: bool) -> bool:
    """Kill a process that does the deed, and then what a worker does; True if it was in a transaction of the deed
    that had written, as the database saw it once the process stood still.

    It has done the same before, and taken it back, so that it knows how long that takes. It is killed within twice that
    time, or, `aimed`, a little after it was seen to have written.
    """
    with running(_act, deed, place, day) as child:
        backend, seconds = child.hear()
        child.tell("go")
        if aimed:
            deadline = time.monotonic() + _AIM_SECONDS
            while not (_ask(_WRITES, backend) or child.has_spoken()):
                assert time.monotonic() < deadline, "the deed does not begin to write"
            time.sleep(dice.uniform(0, seconds * 0.8))
        else:
            time.sleep(dice.uniform(0, seconds * 2))
        child.send_signal(signal.SIGSTOP)
        return end(child, backend)


def end(child: Running, backend: int) -> bool:
    """Kill a process once it stands still, and wait until its session has gone; True if that was in a transaction that
    had written, as the database sees it.
    """
    child.wait_until_stopped()
    is_inside = _ask(_WRITES, backend)
    child.kill()
    wait_until(lambda: not _ask(_IS_THERE, backend))  # it finishes the statement that it was given
    return is_inside


def _act(deed: Deed, place: Place, day: float) -> None:
    """In the process: rehearse, wait for the word, do the deed, say so, rate what is due, and wait for the end."""
    with patch.object(wakeups, "_send"), late(day):
        with transaction.atomic():
            began = time.monotonic()
            do(deed, place)
            seconds = time.monotonic() - began
            transaction.set_rollback(True)
        say((own_backend(), seconds))
        hear()
        do(deed, place)
        say("done")
        with connection.cursor() as cursor:
            cursor.execute("SET application_name = 'worker'")
        rate_due_tracks()
    hear()


def own_backend() -> int:
    """In a process: the number of its session."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def _ask(question: str, backend: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(question, [backend])
        return bool(cursor.fetchone()[0])
