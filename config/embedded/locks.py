"""File locks that end with their holder, so that a crash leaves none behind."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class FileLock:
    """One flock on one file; not inherited by programs we start."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._handle = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)

    def share(self) -> None:
        """Hold it together with others; waits for an exclusive holder."""
        fcntl.flock(self._handle, fcntl.LOCK_SH)

    def wait_alone(self) -> None:
        """Hold it alone; waits for all others."""
        fcntl.flock(self._handle, fcntl.LOCK_EX)

    def try_alone(self) -> bool:
        """Hold it alone if nobody else does; says whether."""
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Let go."""
        os.close(self._handle)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the file alone for the length of the block; waits for its turn."""
    lock = FileLock(path)
    try:
        lock.wait_alone()
        yield
    finally:
        lock.close()
