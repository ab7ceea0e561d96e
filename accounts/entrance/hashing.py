"""Passwords, hashed in a line of their own: it takes half a second of processor time, which is what makes them safe.

In the web server all requests of a process share one thread, and whoever signs in would hold up everybody else: ten
addresses, each within its limits, made the site wait for seconds. So a thread beside it hashes one password after the
other, behind everything else that wants a processor. Where the line is full, the site is busy for whoever comes.
"""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from gevent.monkey import is_module_patched
from gevent.threadpool import ThreadPool

__all__ = ["LineFullError", "PatientHasher"]

IN_LINE = 5  # in a process, with the one that is hashed
_NICENESS = 10


class LineFullError(Exception):
    """So many passwords are being hashed that another one would have to wait for seconds."""


class PatientHasher(PBKDF2PasswordHasher):
    """Django's own. Raises LineFullError in a web server."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Hash a password, so many times over."""
        return _line.take(partial(super().encode, password, salt, iterations))


class _Line:
    """Passwords of this process that wait to be hashed."""

    def __init__(self) -> None:
        self._waiting = 0
        self._thread: ThreadPool | None = None

    def take(self, work: Callable[[], str]) -> str:
        """Do the work when its turn has come; at once where nobody else shares the thread."""
        if not is_module_patched("threading"):
            return work()
        if self._waiting >= IN_LINE:
            raise LineFullError
        if self._thread is None:
            self._thread = ThreadPool(1)
        self._waiting += 1
        try:
            done: Any = self._thread.apply(_patiently, (work,))
            return str(done)
        finally:
            self._waiting -= 1


def _patiently(work: Callable[[], str]) -> str:
    """Linux ranks threads one by one; elsewhere this one is as important as others."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
    return work()


_line = _Line()
