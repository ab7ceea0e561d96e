"""Watches from beside how long queues stand still."""

import threading
import time
from bisect import bisect_right
from typing import Any

import psycopg

from tests.killing.database import session_in

__all__ = ["Watch", "is_in_transaction"]

_SWEPT = "SELECT id, swept_at::text FROM matchmaking_queue"
_IN_TRANSACTION = """
SELECT count(*) FROM pg_stat_activity WHERE application_name = %s AND datname = current_database()
AND xact_start IS NOT NULL AND backend_xid IS NOT NULL
"""


def is_in_transaction(session: psycopg.Connection[Any], name: str) -> bool:
    """Whether the process of this name is in a transaction that has written something."""
    row = session.execute(_IN_TRANSACTION, [name]).fetchone()
    return row is not None and row[0] > 0


class Watch(threading.Thread):
    """Notes when a sweep of each queue was committed, by time.monotonic()."""

    def __init__(self, database: str) -> None:
        super().__init__(name="watch", daemon=True)
        self.sweeps: dict[int, list[float]] = {}
        self._database, self._ended = database, threading.Event()

    def run(self) -> None:
        """Look many times a second until told to end."""
        seen: dict[int, str] = {}
        with session_in(self._database) as session:
            while not self._ended.wait(0.02):
                for queue, swept in session.execute(_SWEPT):
                    if swept != seen.setdefault(queue, swept):
                        seen[queue] = swept
                        self.sweeps.setdefault(queue, []).append(time.monotonic())

    def waits_after(self, moment: float) -> list[float]:
        """Seconds from this moment to the next sweep of each queue; endless where there was none."""
        waits = []
        for moments in self.sweeps.values():
            place = bisect_right(moments, moment)
            waits.append(moments[place] - moment if place < len(moments) else float("inf"))
        return waits

    def end(self) -> None:
        """Stop watching."""
        self._ended.set()
        self.join()
