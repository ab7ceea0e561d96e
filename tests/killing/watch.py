"""Watches from beside how long a track stands still, and for quiet at the end."""

import threading
import time
from itertools import pairwise
from typing import Any

import psycopg

from tests.killing.database import session_in

__all__ = ["Watch", "wait_for_quiet", "wait_until_gone"]

_REVISIONS = "SELECT id, revision FROM ratings_ratingtrack"
# Everything has its place and is rated, the period of the last match is over and closed, and the claims of the dead
# were taken over.
_QUIET = """
SELECT NOT EXISTS (SELECT FROM ratings_match WHERE state = 'confirmed' AND ladder_seq IS NULL)
   AND NOT EXISTS (
    SELECT FROM ratings_ratingtrack AS track JOIN ratings_ladder AS ladder ON ladder.id = track.ladder_id
    WHERE track.rated_seq <> ladder.last_seq)
   AND NOT EXISTS (
    SELECT FROM ratings_ratingrun AS run
    WHERE NOT EXISTS (SELECT FROM pg_stat_activity AS session WHERE session.pid = run.backend))
"""
_OTHERS = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
AND backend_type = 'client backend' AND application_name ~ %s
"""


class Watch(threading.Thread):
    """Notes when each track's revision moved: `commits` maps its id to moments of time.monotonic()."""

    def __init__(self, database: str) -> None:
        super().__init__(name="watch", daemon=True)
        self.commits: dict[int, list[float]] = {}
        self._database, self._ended = database, threading.Event()

    def run(self) -> None:
        """Look many times a second until told to end."""
        seen: dict[int, int] = {}
        with session_in(self._database) as session:
            while not self._ended.wait(0.05):
                for track, revision in session.execute(_REVISIONS):
                    if revision != seen.setdefault(track, 0):
                        seen[track] = revision
                        self.commits.setdefault(track, []).append(time.monotonic())

    def longest_gap(self, track: int) -> tuple[float, float]:
        """Return begin and end of the longest time between two commits on a track."""
        moments = self.commits.get(track, [])
        return max(pairwise(moments), key=lambda gap: gap[1] - gap[0], default=(0.0, 0.0))

    def wait_after(self, moment: float) -> float:
        """Return how long it took from this moment to the next commit on any track."""
        later = (at for moments in self.commits.values() for at in moments if at > moment)
        return min(later, default=moment) - moment

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


def wait_until_gone(session: psycopg.Connection[Any], named: str = "", *, seconds: float) -> None:
    """Wait until the sessions of dead processes have ended; `named` is a regular expression for their names.

    A server finishes, and commits, the statement in which its client was killed.
    """
    deadline = time.monotonic() + seconds
    while session.execute(_OTHERS, [named]).fetchone() != (0,) and time.monotonic() < deadline:
        time.sleep(0.05)
