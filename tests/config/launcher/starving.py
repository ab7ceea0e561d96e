"""A process that the machine starves: it wants to compute, and others are served."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["BUSY", "starved_of"]

BUSY = (sys.executable, "-c", "while True: pass")
_NEIGHBOURS = 7


@contextmanager
def starved_of() -> Iterator[int]:
    """Keep one processor busy with others; gives its number. Who is put there and asks for little gets next to none."""
    [processor, *_] = sorted(os.sched_getaffinity(0))
    # Where processors are shared out by session, each has one of its own, as processes of the site have.
    neighbours = [subprocess.Popen(BUSY, start_new_session=True) for _ in range(_NEIGHBOURS)]
    try:
        for neighbour in neighbours:
            os.sched_setaffinity(neighbour.pid, {processor})
        yield processor
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()


def give_way(pid: int, processor: int) -> None:
    """Let a process have what the neighbours leave on their processor."""
    os.sched_setaffinity(pid, {processor})
    os.setpriority(os.PRIO_PROCESS, pid, 19)
