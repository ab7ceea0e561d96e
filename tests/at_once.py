"""Many calls at the same moment, each in a thread with a session of its own.

Threads keep their sessions until the tests of a file are over (`tests/conftest.py`): to begin one takes as long as what
most calls do with it.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

__all__ = ["at_once", "end_threads", "in_step"]

R = TypeVar("R")
PATIENCE = 120.0  # seconds until whoever waits for a thread that has died is told so
MOST = 50  # calls at once: PostgreSQL has two hundred sessions for all workers of pytest-xdist
_sessions: list[BaseDatabaseWrapper] = []
_pool: ThreadPoolExecutor | None = None


def at_once(work: Sequence[Callable[[], R]]) -> list[R]:
    """Begin all at the same moment; the results in their order."""
    gate = Barrier(len(work))

    def run(one: Callable[[], R]) -> R:
        gate.wait(PATIENCE)
        return one()

    return list(_threads(len(work)).map(run, work))


def in_step(rounds: Sequence[Callable[[], R]], *, threads: int) -> list[list[R]]:
    """Let every thread do all rounds, each round at the same moment; the results by round."""
    gate = Barrier(threads)

    def run(_: int) -> list[R]:
        return [(gate.wait(PATIENCE), one())[1] for one in rounds]

    by_thread = list(_threads(threads).map(run, range(threads)))
    return [list(results) for results in zip(*by_thread, strict=True)]


def end_threads() -> None:
    """End the threads and their sessions."""
    global _pool
    if _pool is not None:
        _pool.shutdown()
        _pool = None
    while _sessions:
        _sessions.pop().close()


def _threads(wanted: int) -> ThreadPoolExecutor:
    global _pool
    assert wanted <= MOST, f"{wanted} wait for each other, and {MOST} are the most"
    if _pool is None:
        _pool = ThreadPoolExecutor(MOST, initializer=_keep_session)
    return _pool


def _keep_session() -> None:
    """Let another thread end the session of this one."""
    session = connections["default"]
    session.inc_thread_sharing()
    _sessions.append(session)
