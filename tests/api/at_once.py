"""Many requests at the same time, each in a thread with a database connection of its own."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connections

__all__ = ["at_once", "in_step"]

R = TypeVar("R")
PATIENCE = 120.0  # seconds until whoever waits for a thread that has died is told so


def at_once(work: Sequence[Callable[[], R]]) -> list[R]:
    """Begin all at the same moment; the results in their order."""
    gate = Barrier(len(work))

    def run(one: Callable[[], R]) -> R:
        gate.wait(PATIENCE)
        try:
            return one()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(work)) as pool:
        return list(pool.map(run, work))


def in_step(rounds: Sequence[Callable[[], R]], *, threads: int) -> list[list[R]]:
    """Let every thread do all rounds, each round at the same moment; the results by round."""
    gate = Barrier(threads)

    def run(_: int) -> list[R]:
        try:
            return [(gate.wait(PATIENCE), one())[1] for one in rounds]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        by_thread = list(pool.map(run, range(threads)))
    return [list(results) for results in zip(*by_thread, strict=True)]
