"""Listening for datagrams with lines of logs: put in order, told together, kept while PostgreSQL is away.

A network doubles and reorders datagrams. So each waits for a second, in which those before it may come; what is the
same with the same time is told once (`receive.py`).
"""

import socket
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import uuid4

import structlog
from django.db import InterfaceError, OperationalError, connection
from django.db.models import F

from foundation.metrics import DROPPED_SENDINGS
from ratings.archiving import ArchivedError
from ratings.logs.connectors.connect import count_dropped
from ratings.logs.connectors.datagrams import (
    Dropped,
    Senders,
    read_datagram,
    read_senders,
)
from ratings.logs.connectors.lines import receive_lines
from ratings.logs.connectors.receive import Received
from ratings.logs.formats.source_lines import split_stamp
from ratings.models import ServerConnector

__all__ = ["Listener", "open_socket"]

log = structlog.get_logger(__name__)

HOLD = 1.0  # seconds for which a line waits for those before it
_BATCH = 500  # lines of one transaction
_MOST_WAITING = 200_000  # lines while PostgreSQL is away: some 60 MB
_SENDERS_TRUSTED = 5.0  # seconds
_BUFFER = 8 << 20  # bytes that the system keeps while we are busy
_AT_ONCE = 2000
_AWAY = (OperationalError, InterfaceError)
# What lies further apart was written by a clock that was set.
_IN_ORDER = timedelta(seconds=30)
_BEFORE_ALL = datetime(1, 1, 1)  # noqa: DTZ001 - times of logs have no zone


@dataclass(slots=True)
class _Waiting:
    arrived: float
    stamp: datetime
    line: str


@dataclass(slots=True)
class _Batch:
    """Lines that are told together, under a name: tried again after an error it counts once."""

    name: str
    lines: list[str]


@dataclass(slots=True)
class _Queue:
    waiting: deque[_Waiting] = field(default_factory=deque)
    batches: deque[_Batch] = field(default_factory=deque)


class Listener:
    """Takes datagrams from a socket, or from `take`, and tells them. Where PostgreSQL is away for so long that more
    lines wait than there is room for, those that come are given up, and counted as lost.
    """

    def __init__(self, *, hold: float = HOLD, now: Callable[[], float] = time.monotonic) -> None:
        self._hold, self._now = hold, now
        self._queues: dict[int, _Queue] = defaultdict(_Queue)
        self._unknown: deque[tuple[bytes, str, int]] = deque(maxlen=_MOST_WAITING)
        self._drops: Counter[int] = Counter()
        self._lost: Counter[int] = Counter()
        self._senders: Senders | None = None
        self._read_at = 0.0
        self._is_away = False
        self._number = 0

    def take(self, data: bytes, address: str, port: int) -> None:
        """Take one datagram. Who may send is asked when PostgreSQL answers."""
        if self._senders is None:
            self._unknown.append((data, address, port))
            return
        datagram = read_datagram(data)
        if datagram is None:
            self._dropped(Dropped("form", None))
            return
        found = self._senders.find(datagram, address, port)
        if isinstance(found, Dropped):
            self._dropped(found)
            return
        if self.waiting >= _MOST_WAITING:
            self._lost[found] += 1
            return
        stamped = split_stamp(datagram.line)
        at = _BEFORE_ALL if stamped is None else stamped[0]
        queue = self._queues[found]
        self._number += 1
        queue.waiting.append(_Waiting(self._now(), at, datagram.line))

    @property
    def waiting(self) -> int:
        """Lines that are not told yet."""
        return self._number

    def step(self, *, at_once: bool = False) -> Received:
        """Tell what has waited long enough, or with `at_once` all; what cannot be written waits for the next time."""
        whole = Received()
        try:
            self._look_who_sends()
            for connector in list(self._queues):
                self._tell(connector, whole, at_once=at_once)
            self._write_drops()
        except _AWAY as error:
            connection.close()
            if not self._is_away:
                self._is_away = True
                log.warning("logs.database_away", error=str(error).partition("\n")[0])
        else:
            if self._is_away:
                self._is_away = False
                log.warning("logs.database_back", waiting=self.waiting)
        return whole

    def listen(self, own: socket.socket, *, is_over: Callable[[], bool]) -> None:
        """Take datagrams until it is over; then tell all that has come."""
        own.settimeout(0.2)
        while not is_over():
            self._take_waiting(own)
            self.step()
        own.setblocking(False)
        self._take_waiting(own)
        self.step(at_once=True)

    def _take_waiting(self, own: socket.socket) -> None:
        """Take what has come, at most so many, and wait for the first of them for a moment."""
        for _ in range(_AT_ONCE):
            try:
                data, source = own.recvfrom(4096)
            except (TimeoutError, BlockingIOError):
                return
            self.take(data, source[0], source[1])

    def _look_who_sends(self) -> None:
        if self._senders is None or self._now() >= self._read_at + _SENDERS_TRUSTED:
            self._senders = read_senders()
            self._read_at = self._now()
        while self._unknown:
            self.take(*self._unknown.popleft())

    def _tell(self, connector: int, whole: Received, *, at_once: bool) -> None:
        queue = self._queues[connector]
        ready = _ready(queue.waiting, self._now() - self._hold, at_once=at_once)
        for first in range(0, len(ready), _BATCH):
            lines = [it.line for it in ready[first : first + _BATCH]]
            queue.batches.append(_Batch(uuid4().hex, lines))
        while queue.batches:
            batch = queue.batches[0]
            try:
                counts = receive_lines(connector, batch.lines, batch.name)
            except (ServerConnector.DoesNotExist, ArchivedError):
                DROPPED_SENDINGS.labels("archived").inc(len(batch.lines))
            except _AWAY:
                raise
            except Exception:
                if len(batch.lines) > 1:  # the others are told
                    middle = len(batch.lines) // 2
                    halves = batch.lines[:middle], batch.lines[middle:]
                    queue.batches.popleft()
                    queue.batches.extendleft(_Batch(uuid4().hex, it) for it in reversed(halves))
                    continue
                log.exception("logs.line_failed", connector=connector)
            else:
                _add(whole, counts)
            queue.batches.popleft()
            self._number -= len(batch.lines)
        if not queue.waiting:
            del self._queues[connector]

    def _dropped(self, dropped: Dropped) -> None:
        DROPPED_SENDINGS.labels(dropped.why).inc()
        if dropped.connector is not None:
            self._drops[dropped.connector] += 1

    def _write_drops(self) -> None:
        for connector, count in list(self._drops.items()):
            count_dropped(connector, count)
            del self._drops[connector]
        for connector, count in list(self._lost.items()):
            ServerConnector.objects.filter(pk=connector).update(lost=F("lost") + count)
            del self._lost[connector]


def _add(whole: Received, counts: Received) -> None:
    for name in Received.__dataclass_fields__:
        setattr(whole, name, getattr(whole, name) + getattr(counts, name))


def _ready(waiting: deque[_Waiting], until: float, *, at_once: bool) -> list[_Waiting]:
    """Take out those that have waited until then, and what was written before them, in the order of their times."""
    old = [it for it in waiting if at_once or it.arrived <= until]
    if not old:
        return []
    newest = max(it.stamp for it in old)
    if newest - min(it.stamp for it in waiting) > _IN_ORDER:
        ready = old  # a clock was set
    else:
        chosen = {id(it) for it in old}
        ready = [it for it in waiting if id(it) in chosen or it.stamp < newest]
        ready.sort(key=lambda it: it.stamp)
    gone = {id(it) for it in ready}
    rest = [it for it in waiting if id(it) not in gone]
    waiting.clear()
    waiting.extend(rest)
    return ready


def open_socket(bind: str, port: int) -> socket.socket:
    """A socket for datagrams at an address of this machine. Raises OSError."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    own = socket.socket(family, socket.SOCK_DGRAM)
    try:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        own.bind((bind, port))
    except OSError:
        own.close()
        raise
    return own
