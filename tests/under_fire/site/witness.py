"""Sees each dump from inside the database: takes its snapshot, too, and reads all that is in it beside the dump."""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, Queue
from typing import Generic, TypeVar

import psycopg
from psycopg import sql

from tests.under_fire.site.contents import Rows, read_contents

__all__ = ["Sight", "Witness"]

_EVERY = 0.02  # seconds
# A snapshot is taken some moments before its file is there to be seen.
_MARGIN = 1.0
_SNAPSHOTS = "SELECT name FROM pg_ls_dir('pg_snapshots') AS name WHERE name NOT LIKE '%.tmp'"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sight(Generic[T]):
    """What was in the database at the moment of a dump, and what had been acknowledged a second before.

    seconds  that it took to read it
    """

    tables: dict[str, Rows]
    acknowledged: T
    seconds: float


class Witness(threading.Thread, Generic[T]):
    """Waits for snapshots that are handed on, which only dumps do, for whoever ends it.

    acknowledged  says how much has been acknowledged up to now
    """

    def __init__(self, url: str, acknowledged: Callable[[], T]) -> None:
        super().__init__(name="witness", daemon=True)
        self._url, self._acknowledged, self._ended = url, acknowledged, threading.Event()
        self._sights: Queue[Sight[T]] = Queue()
        self._marks = deque([(time.monotonic(), acknowledged())], maxlen=500)
        self.failure: BaseException | None = None

    def run(self) -> None:
        """Look until told to end, or until something is wrong."""
        try:
            self._look()
        except BaseException as error:
            self.failure = error

    def next(self, seconds: float) -> Sight[T]:
        """The sight of the next dump; waits for it. Raises what ended the witness, or RuntimeError where none came."""
        try:
            return self._sights.get(timeout=seconds)
        except Empty:
            raise self.failure or RuntimeError(
                "a backup was written, and no snapshot was seen"
            ) from None

    def end(self) -> None:
        """Stop looking. Raises what ended it before, or RuntimeError where it has seen a dump nobody asked for."""
        self._ended.set()
        self.join()
        if self.failure is not None:
            raise self.failure
        if not self._sights.empty():
            raise RuntimeError("more snapshots were seen than backups were written")

    def _look(self) -> None:
        known: set[str] = set()
        with psycopg.connect(self._url, autocommit=True) as session:
            while not self._ended.wait(_EVERY):
                self._marks.append((time.monotonic(), self._acknowledged()))
                there = {str(name) for (name,) in session.execute(_SNAPSHOTS).fetchall()}
                for name in there - known:
                    began = time.monotonic()
                    tables = self._tables_in(name)
                    took = time.monotonic() - began
                    self._sights.put(Sight(tables, self._known_before(began - _MARGIN), took))
                known = there

    def _tables_in(self, snapshot: str) -> dict[str, Rows]:
        """All tables, by a session of its own: the dump need not last until they are read."""
        with psycopg.connect(self._url) as session:
            session.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            session.execute(sql.SQL("SET TRANSACTION SNAPSHOT {}").format(sql.Literal(snapshot)))
            return read_contents(session)

    def _known_before(self, moment: float) -> T:
        """What had been acknowledged by then; by the first look where that was later."""
        earlier = [mark for at, mark in self._marks if at <= moment]
        return earlier[-1] if earlier else self._marks[0][1]
