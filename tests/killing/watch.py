"""Watches from beside how long a track stands still, and for quiet at the end."""

import threading
import time
from itertools import pairwise
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
