"""The files in which processes count for `/metrics`, made with all of their blocks.

A process maps its file. Writing to a part that has no blocks on a full disk would end the process at once (SIGBUS), so
the room is taken when the process begins, while that can still be refused.
"""

import os
from pathlib import Path

from prometheus_client import values

__all__ = ["reserve", "share_counts"]

# Bytes of each file: several times what all routes, queues and systems need.
RESERVED = {"counter": 1_048_576, "histogram": 1_048_576, "gauge_livesum": 65_536}


def reserve(folder: Path, owner: int | str) -> None:
    """Make the files of one process; an OSError when there is no room for them.

    owner  number of the process, or `ended` for the files into which those of ended processes are folded
    """
    for kind, size in RESERVED.items():
        with (folder / f"{kind}_{owner}.db").open("ab") as file:
            if not os.fstat(file.fileno()).st_size:
                os.posix_fallocate(file.fileno(), 0, size)


def share_counts() -> None:
    """Count into files where PROMETHEUS_MULTIPROC_DIR names their folder. To be called before any metric is made."""
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        owner = _Owner(Path(folder))
        shared = values.MultiProcessValue(owner)  # type: ignore[no-untyped-call]
        values.ValueClass = shared if owner.number else values.MutexValue


class _Owner:
    """Says whose files a process counts in: its own, or where there was no room for them those of its parent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked = self.number = 0
        self()

    def __call__(self) -> int:
        if self.asked != os.getpid():  # a process that has just begun, or forked
            self.asked = os.getpid()
            try:
                reserve(self.folder, self.asked)
                self.number = self.asked
            except OSError:
                for kind in RESERVED:
                    (self.folder / f"{kind}_{self.asked}.db").unlink(missing_ok=True)
        return self.number
