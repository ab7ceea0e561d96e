"""Backups by themselves: when one is due, which are kept, and how the last went.

What there is stands in the folder, by the names of the files; so it is right after a restore, too. How the last went is
noted in the data folder, and told to all processes through Valkey.
"""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db import Error

from config.backup.deletions import note_deletions
from config.backup.encryption import SEALED
from config.backup.manifest import BadBackupError
from config.backup.work_folder import remove_left
from config.backup.write import write
from config.embedded.paths import StartError, run_dir
from foundation import clock, timekeeping
from foundation.postgresql.locks import Lock, try_alone

__all__ = ["BackupState", "back_up_if_due", "read_state", "to_forget"]

log = structlog.get_logger(__name__)

_NAME = re.compile(r"evenmatch-(\d{8}T\d{6})Z\.zip(?:\.sealed)?")
_FORM = "%Y%m%dT%H%M%S"
_AGAIN_AFTER = timedelta(minutes=15)  # a failure
_LATE_AFTER = timedelta(hours=26)  # a day, and the time that writing one takes
_KEY = "backups"


@dataclass(frozen=True, slots=True)
class BackupState:
    """How things stand; moments are seconds since 1970.

    newest     of the newest backup, None where there is none
    failed_at  of the last attempt, where it failed; None where it did not
    why        it failed
    """

    newest: float | None = None
    failed_at: float | None = None
    why: str = ""

    @property
    def newest_at(self) -> datetime | None:
        """The moment of the newest."""
        return datetime.fromtimestamp(self.newest, UTC) if self.newest else None

    @property
    def is_well(self) -> bool:
        """Whether the last attempt worked, and is not too long ago."""
        is_young = (
            self.newest and clock.now().timestamp() - self.newest < _LATE_AFTER.total_seconds()
        )
        return self.failed_at is None and bool(is_young)


def back_up_if_due() -> BackupState | None:
    """Write a backup where one is due, and delete those that need not be kept; None where none are written.

    Whoever comes while another one writes, on whatever machine, does nothing. What killed ones have left lying open is
    removed, also where none are written.
    """
    remove_left()
    try:
        note_deletions(Path(settings.BACKUP_DIR or settings.DATA_DIR))
    except (OSError, ValueError) as error:  # a backup is worth more than the list beside it
        log.error("backup.deletions_not_noted", why=str(error))
    if not settings.BACKUP_DIR:
        return None
    with try_alone(Lock.BACKUP) as is_free:
        if not is_free:
            return read_state()
        _tell_of_who_was_ended()
        state = _state_of_folder()
        if timekeeping.is_steady() and _is_due(state):
            state = _write(Path(settings.BACKUP_DIR))
        cache.set(_KEY, asdict(state), timeout=None)
    return state


def read_state() -> BackupState | None:
    """How the backups stand, on whatever machine they are written; None where none are."""
    if not settings.BACKUP_DIR:
        return None
    told = cache.get(_KEY)
    return BackupState(**told) if told else _state_of_folder()


def to_forget(files: Sequence[tuple[datetime, Path]], daily: int, weekly: int) -> list[Path]:
    """Which of these need not be kept: all but the newest of each of the last days and weeks that have one."""
    kept: set[Path] = set()
    newest_first = sorted(files, reverse=True)
    for most, span in ((daily, "%Y-%m-%d"), (weekly, "%G-%V")):
        spans: dict[str, Path] = {}
        for at, path in newest_first:
            spans.setdefault(at.strftime(span), path)
        kept.update(list(spans.values())[:most])
    return [path for _, path in newest_first if path not in kept]


def _is_due(state: BackupState) -> bool:
    now = clock.now()
    if state.failed_at and now.timestamp() < state.failed_at + _AGAIN_AFTER.total_seconds():
        return False
    planned = datetime.combine(now.date(), settings.BACKUP_AT, UTC)
    if planned > now:
        planned -= timedelta(days=1)
    return state.newest is None or state.newest < planned.timestamp()


def _write(folder: Path) -> BackupState:
    now = clock.now()
    ending = SEALED if settings.BACKUP_KEY else ""
    path = folder / f"evenmatch-{now:{_FORM}}Z.zip{ending}"
    _note_of_start().parent.mkdir(parents=True, exist_ok=True)
    _note_of_start().write_text(str(now.timestamp()), encoding="utf-8")
    try:
        if not folder.is_dir():
            raise BadBackupError(
                f"There is no folder {folder}."
            )  # perhaps a disk that is not there
        _clear_away(folder)
        manifest = write(path, key=settings.BACKUP_KEY)
        for old in to_forget(_files(folder), settings.BACKUP_DAILY, settings.BACKUP_WEEKLY):
            old.unlink(missing_ok=True)
    except (BadBackupError, StartError, OSError, Error, ValueError) as error:
        log.error("backup.failed", file=str(path), why=str(error))
        _note_failure(now.timestamp(), str(error))
    else:
        _failure_note().unlink(missing_ok=True)
        rows = sum(table.rows for table in manifest.tables.values())
        log.info("backup.written", file=str(path), rows=rows, bytes=path.stat().st_size)
    _note_of_start().unlink(missing_ok=True)
    return _state_of_folder()


def _tell_of_who_was_ended() -> None:
    """Where the one that wrote before was ended, by a lack of memory perhaps, that is a failure as any other."""
    with suppress(OSError, ValueError):
        began = float(_note_of_start().read_text(encoding="utf-8"))
        _note_failure(began, "The process that wrote it was ended.")
        _note_of_start().unlink()


def _clear_away(folder: Path) -> None:
    """Remove what writers that were killed have left: nobody but us writes now, and a backup by hand takes no day."""
    for partial in folder.glob(".evenmatch-*"):
        if _NAME.match(partial.name.removeprefix(".")):  # by hand it is called otherwise
            partial.unlink(missing_ok=True)


def _files(folder: Path) -> list[tuple[datetime, Path]]:
    """The backups that we have written; those of a clock that ran ahead are left alone, and count for nothing."""
    latest = clock.now() + timedelta(hours=1)
    found = []
    with suppress(OSError):
        for path in folder.iterdir():
            if name := _NAME.fullmatch(path.name):
                at = datetime.strptime(name[1], _FORM).replace(tzinfo=UTC)
                if at <= latest:
                    found.append((at, path))
    return found


def _state_of_folder() -> BackupState:
    newest = max((at.timestamp() for at, _ in _files(Path(settings.BACKUP_DIR))), default=None)
    try:
        failed = BackupState(newest, **json.loads(_failure_note().read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return BackupState(newest)
    # Another machine may have written one since.
    is_over = newest is not None and failed.failed_at is not None and newest > failed.failed_at
    return BackupState(newest) if is_over else failed


def _note_failure(at: float, why: str) -> None:
    text = json.dumps({"failed_at": at, "why": why})
    _failure_note().write_text(text, encoding="utf-8")


def _failure_note() -> Path:
    return run_dir(settings.DATA_DIR) / "backup-failed.json"


def _note_of_start() -> Path:
    return run_dir(settings.DATA_DIR) / "backup-began"
