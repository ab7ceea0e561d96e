"""Passwords, hashed in a line of their own: it takes half a second of processor time, which is what makes them safe.

In the web server all requests of a process share one thread, and whoever signs in would hold up everybody else: ten
addresses, each within its limits, made the site wait for seconds. So a thread beside it hashes one password after the
other. It is as important as the others: behind them it would stand still on a machine with enough to do, and nobody
could sign in.

Whoever has come seldom lately is first. Where the line is full, the one whose network has come most often is told that
the site is busy: it takes as many networks as the line is long, all of them new, to keep somebody out.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from gevent.event import Event
from gevent.monkey import is_module_patched
from gevent.threadpool import ThreadPool

__all__ = ["LineFullError", "PatientHasher", "coming_from"]

IN_LINE = 12  # in a process, with the one that is hashed: some seconds of work
_FORGOTTEN = 60.0  # seconds after which a time somebody came counts half
_NETWORKS = 10_000  # of which that is kept

_origin: ContextVar[str] = ContextVar("origin", default="")


class LineFullError(Exception):
    """So many passwords are being hashed that another one would have to wait for seconds."""


class PatientHasher(PBKDF2PasswordHasher):
    """Django's own. Raises LineFullError in a web server."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Hash a password, so many times over."""
        return _line.take(partial(super().encode, password, salt, iterations))


@contextmanager
def coming_from(network: str) -> Iterator[None]:
    """Have what is hashed within the block wait in the name of this network."""
    token = _origin.set(network)
    try:
        yield
    finally:
        _origin.reset(token)


class _Waiting:
    """A password in line: how often its network has come, and the place in the order of coming."""

    def __init__(self, times: float, number: int) -> None:
        self.order = times, number
        self.called = Event()
        self.is_refused = False


class _Line:
    """Passwords of this process that wait to be hashed."""

    def __init__(self) -> None:
        self._hashed: _Waiting | None = None
        self._waiting: list[_Waiting] = []
        self._came: OrderedDict[str, tuple[float, float]] = OrderedDict()  # times, and when
        self._number = 0
        self._thread: ThreadPool | None = None

    def take(self, work: Callable[[], str]) -> str:
        """Do the work when its turn has come; at once where nobody else shares the thread."""
        if not is_module_patched("threading"):
            return work()
        if self._thread is None:
            self._thread = ThreadPool(1)
        self._number += 1
        one = _Waiting(self._note(_origin.get()), self._number)
        self._join(one)
        try:
            one.called.wait()
            if one.is_refused:
                raise LineFullError
            return str(self._thread.apply(work))
        finally:
            self._leave(one)

    def _note(self, network: str) -> float:
        """How often somebody came from there before; what is long ago counts less."""
        now = time.monotonic()
        times, when = self._came.pop(network, (0.0, now))
        times *= 0.5 ** ((now - when) / _FORGOTTEN)
        self._came[network] = times + 1.0, now
        if len(self._came) > _NETWORKS:
            self._came.popitem(last=False)
        return times

    def _join(self, one: _Waiting) -> None:
        if self._hashed is None:
            self._hashed = one
            one.called.set()
            return
        self._waiting.append(one)
        # Who waits holds one of the turns of the process (`config/web/turns.py`): two in five stay for other requests.
        if len(self._waiting) >= min(IN_LINE, max(2, settings.REQUESTS_AT_ONCE * 3 // 5)):
            last = max(self._waiting, key=lambda it: it.order)
            self._waiting.remove(last)
            last.is_refused = True
            last.called.set()

    def _leave(self, one: _Waiting) -> None:
        """Let the next one have its turn, or spare it: a request may end while it waits."""
        if one is self._hashed:
            self._hashed = min(self._waiting, key=lambda it: it.order, default=None)
            if self._hashed is not None:
                self._waiting.remove(self._hashed)
                self._hashed.called.set()
        elif one in self._waiting:
            self._waiting.remove(one)


_line = _Line()
