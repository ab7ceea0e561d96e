"""Folders of the data folder in which a backup lies open for a while: until it is sealed, read, or moved."""

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings

__all__ = ["remove_left", "work_folder"]

_PREFIX = "backup-at-work-"
_NEW = 60.0  # seconds in which whoever makes one has locked it


@contextmanager
def work_folder() -> Iterator[Path]:
    """A folder for the block, for its owner alone. It is locked, so that it is not taken for one that was left."""
    remove_left()
    with TemporaryDirectory(dir=settings.DATA_DIR, prefix=_PREFIX) as name:
        handle = os.open(name, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield Path(name)
        finally:
            os.close(handle)


def remove_left() -> None:
    """Remove those whose process was killed: nobody may read there what is sealed elsewhere, or was deleted since."""
    for folder in settings.DATA_DIR.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # it is gone, or in use
            handle = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if time.time() - os.fstat(handle).st_mtime > _NEW:
                    shutil.rmtree(folder)
            finally:
                os.close(handle)
