"""Watches the room left where the site writes, so that it stops before PostgreSQL has to. Needs no Django.

A full disk ends PostgreSQL (it cannot write its log ahead), and whatever maps a file that has no blocks. Below the
limit the site still answers readers, refuses what would write with 503, and lets background work rest; it goes on by
itself once there is room again.
"""

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from config.embedded.paths import data_dir

__all__ = ["DEFAULT_MIN_FREE_MB", "FreeSpace", "Shortage", "of_this_site"]

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
            self._found = self._look()
        return self._found

    def _look(self) -> Shortage | None:
        needed = int(self.least * AGAIN) if self._found else self.least
        short = [
            Shortage(folder, free, needed) for folder, free in self.free().items() if free < needed
        ]
        return min(short, key=lambda one: one.free, default=None)

    def free(self) -> dict[Path, int]:
        """Bytes that this process may still write in each folder that is there."""
        return {
            folder: free for folder in self.folders if (free := _free_bytes(folder)) is not None
        }


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
    folders = [data_dir(environ), *([Path(metrics)] if metrics else [])]
    return FreeSpace(tuple(_distinct(folders)), int(megabytes * MEGABYTE))


def _distinct(folders: Iterable[Path]) -> Iterable[Path]:
    """One folder of each file system."""
    seen: set[int] = set()
    for folder in folders:
        try:
            device = folder.stat().st_dev
        except OSError:
            yield folder  # it may come
            continue
        if device not in seen:
            seen.add(device)
            yield folder


def _free_bytes(folder: Path) -> int | None:
    try:
        room = os.statvfs(folder)
    except OSError:
        return None
    return room.f_bavail * room.f_frsize
