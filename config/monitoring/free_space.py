"""Watches the room left where the site writes, so that it stops before PostgreSQL has to. Needs no Django.

A full disk ends PostgreSQL (it cannot write its log ahead), and whatever maps a file that has no blocks. Below the
limit the site still answers readers, refuses what would write with 503, and lets background work rest; it goes on by
itself once there is room again.
"""

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from config.embedded.paths import data_dir

__all__ = ["FreeSpace", "Shortage", "of_this_site"]

DEFAULT_MIN_FREE_MB = 200
MEGABYTE = 1_000_000
LOOK_EVERY = 1.0  # seconds
AGAIN = 1.1  # so much more than the limit must be free before writing begins again


@dataclass(frozen=True, slots=True)
class Shortage:
    """A folder with too little room; `free` and `needed` are bytes."""

    folder: Path
    free: int
    needed: int

    def __str__(self) -> str:
        return (
            f"Only {self.free // MEGABYTE} MB are free in {self.folder}: nothing new is written until "
            f"{-(-self.needed // MEGABYTE)} MB are."
        )


@dataclass
class FreeSpace:
    """The room in some folders; asked at most once a second, however often it is wanted."""

    folders: tuple[Path, ...]
    least: int  # bytes
    _looked_at: float = field(default=-LOOK_EVERY, repr=False)
    _found: Shortage | None = field(default=None, repr=False)

    def shortage(self) -> Shortage | None:
        """The folder with the least room while one has too little, else None."""
        now = time.monotonic()
        if now >= self._looked_at + LOOK_EVERY:
            self._looked_at = now
            needed = int(self.least * AGAIN) if self._found else self.least
            short = [
                Shortage(folder, free, needed)
                for folder, free in self.free().items()
                if free < needed
            ]
            self._found = min(short, key=lambda one: one.free, default=None)
        return self._found

    def free(self) -> dict[Path, int]:
        """Bytes that this process may still write in each folder that is there."""
        found: dict[Path, int] = {}
        for folder in self.folders:
            with suppress(OSError):
                room = os.statvfs(folder)
                found[folder] = room.f_bavail * room.f_frsize
        return found


def of_this_site(environ: Mapping[str, str] | None = None) -> FreeSpace:
    """The folders that the processes of this site write to; a ValueError names a limit that is no number."""
    environ = os.environ if environ is None else environ
    text = environ.get("EVENMATCH_MIN_FREE_MB") or str(DEFAULT_MIN_FREE_MB)
    try:
        megabytes = float(text)
    except ValueError:
        megabytes = -1.0
    if not 0 <= megabytes < 1e9:
        raise ValueError(
            f"EVENMATCH_MIN_FREE_MB is {text!r}: must be a number of megabytes, 0 or more"
        )
    metrics = environ.get("PROMETHEUS_MULTIPROC_DIR")
    # One folder of each file system. One that is not there may come, and stands for itself.
    folders: dict[int | Path, Path] = {}
    for folder in (data_dir(environ), *([Path(metrics)] if metrics else [])):
        file_system: int | Path = folder
        with suppress(OSError):
            file_system = folder.stat().st_dev
        folders.setdefault(file_system, folder)
    return FreeSpace(tuple(folders.values()), int(megabytes * MEGABYTE))
