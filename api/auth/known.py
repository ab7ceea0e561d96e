"""Keys and tokens that were good a moment ago: every request asks for one, and mostly for the same.

A process keeps the row that it read, and asks the database again after `settings.KEYS_TRUSTED` seconds. It keeps rows
only while it hears Valkey, by which it is told at once of what is revoked, and of accounts that are made inactive
(`events.live`): what is in doubt then is read anew. What expires is seen from the row.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from events.live import hears_of_ended

__all__ = ["KNOWN", "Known"]

_MOST = 20_000  # rows of a process


@dataclass(frozen=True, slots=True)
class _Row:
    values: tuple[Any, ...]
    rights: frozenset[str]
    now: datetime
    at: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment before a row is read: how much had ended, and when it was."""

    endings: int
    at: float


class Known:
    """The rows of one process, by what they were asked for."""

    def __init__(self) -> None:
        self._rows: OrderedDict[str, _Row] = OrderedDict()
        self._endings = 0
        self._lock = threading.Lock()  # messages come in a thread of their own

    def look(self, name: str) -> tuple[datetime, tuple[Any, ...]] | None:
        """The time by PostgreSQL's clock, and the row; None where it must be asked for."""
        found = self._rows.get(name)
        if found is None:
            return None
        age = time.monotonic() - found.at
        if age >= settings.KEYS_TRUSTED:
            with self._lock:
                if self._rows.get(name) is found:  # nobody has read it anew meanwhile
                    del self._rows[name]
            return None
        return found.now + timedelta(seconds=age), found.values

    def mark(self) -> Mark:
        """What to call before a row is read: `keep` must know how old it is, and whether something has ended since."""
        return Mark(self._endings, time.monotonic())

    def keep(
        self, name: str, values: tuple[Any, ...], rights: frozenset[str], now: datetime, mark: Mark
    ) -> None:
        """Keep a row that hangs on these rights, unless one may have ended since it was read; drop those too old."""
        if not (settings.KEYS_TRUSTED and hears_of_ended()):
            return
        with self._lock:
            if mark.endings != self._endings:
                return
            self._rows[name] = _Row(values, rights, now, mark.at)
            self._rows.move_to_end(name)
            trusted_since = time.monotonic() - settings.KEYS_TRUSTED
            while self._rows and (
                len(self._rows) > _MOST or next(iter(self._rows.values())).at <= trusted_since
            ):
                self._rows.popitem(last=False)

    def forget(self, rights: Iterable[str] | None) -> None:
        """Ask again for what hangs on one of these rights; None: for everything."""
        ended = None if rights is None else frozenset(rights)
        with self._lock:
            self._endings += 1
            if ended is None:
                self._rows.clear()
                return
            rows = self._rows.items()
            for name in [name for name, row in rows if not row.rights.isdisjoint(ended)]:
                del self._rows[name]


KNOWN = Known()
