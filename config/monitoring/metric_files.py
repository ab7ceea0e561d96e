"""The files through which processes share what they counted: those of ended processes are folded into one.

Each process writes files of its own, named for its number. Counts of a process that has ended must stay in the sums,
or every counter would fall; its file need not. Whoever reads or folds holds a lock, so that nothing is counted twice.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prometheus_client.mmap_dict import MmapedDict

from config.embedded.locks import FileLock, alone

__all__ = ["fold_ended", "reading"]

LOCK = "lock"
# Counts and histograms only grow and can be added up; what processes say of their present ends with them.
SUMMED = ("counter", "histogram")
ENDED = "ended"


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Read the files in the block: meanwhile none of them is folded."""
    lock = FileLock(folder / LOCK)
    try:
        lock.share()
        yield
    finally:
        lock.close()


def fold_ended(folder: Path) -> int:
    """Fold the files of processes that no longer run; returns how many files that were."""
    if not any(_ended_files(folder)):
        return 0
    with alone(folder / LOCK):
        files = list(_ended_files(folder))
        for file in files:
            kind = file.stem.partition("_")[0]
            # A process that was killed as it began has left its file empty.
            if kind in SUMMED and file.stat().st_size:
                total = MmapedDict(os.fspath(file.with_name(f"{kind}_{ENDED}.db")))  # type: ignore[no-untyped-call]
                values = MmapedDict.read_all_values_from_file(os.fspath(file))  # type: ignore[no-untyped-call]
                for key, value, _, _ in values:
                    before, at = total.read_value(key)  # type: ignore[no-untyped-call]
                    total.write_value(key, before + value, at)  # type: ignore[no-untyped-call]
                total.close()  # type: ignore[no-untyped-call]
            file.unlink()
        return len(files)


def _ended_files(folder: Path) -> Iterator[Path]:
    for file in folder.glob("*_*.db"):
        number = file.stem.rpartition("_")[2]
        if number.isdigit() and not Path(f"/proc/{number}").exists():
            yield file
