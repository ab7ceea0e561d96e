"""Watches from beside how long a track stands still, and for quiet at the end."""

import threading
import time
from typing import Any

import psycopg

from tests.killing.database import session_in

__all__ = ["Watch", "wait_for_quiet"]

_REVISIONS = "SELECT id, revision FROM ratings_ratingtrack"
# Everything has its place and is rated, and the period of the last match is over and closed.
_QUIET = """
SELECT NOT EXISTS (SELECT FROM ratings_match WHERE state = 'confirmed' AND ladder_seq IS NULL)
   AND NOT EXISTS (
    SELECT FROM ratings_ratingtrack AS track JOIN ratings_ladder AS ladder ON ladder.id = track.ladder_id
    WHERE track.rated_seq <> ladder.last_seq)
"""


class Watch(threading.Thread):
    """Notes for each track the longest time without a commit; begins with its first."""

    def __init__(self, database: str) -> None:
        super().__init__(name="watch", daemon=True)
        self.longest: dict[int, float] = {}
        self._database, self._ended = database, threading.Event()

    def run(self) -> None:
        """Look ten times a second until told to end."""
        seen: dict[int, tuple[int, float]] = {}
        with session_in(self._database) as session:
            while not self._ended.wait(0.1):
                self._look(session, seen)

    def _look(self, session: psycopg.Connection[Any], seen: dict[int, tuple[int, float]]) -> None:
        now = time.monotonic()
        for track, revision in session.execute(_REVISIONS):
            known, since = seen.setdefault(track, (revision, now))
            if known:
                self.longest[track] = max(self.longest.get(track, 0.0), now - since)
            if revision != known:
                seen[track] = (revision, now)

    def longest_by_system(self) -> dict[str, float]:
        """Seconds of the longest pause of each track, by its system."""
        with session_in(self._database) as session:
            rows = session.execute("SELECT id, system FROM ratings_ratingtrack").fetchall()
        return {system: self.longest.get(track, 0.0) for track, system in rows}

    def end(self) -> None:
        """Stop watching."""
        self._ended.set()
        self.join()


def wait_for_quiet(session: psycopg.Connection[Any], *, seconds: float) -> bool:
    """Wait until everything is rated; False if it is not by then."""
    deadline = time.monotonic() + seconds
    while session.execute(_QUIET).fetchone() != (True,):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
