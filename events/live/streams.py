"""One open page: the messages that wait for it, and the bytes it is sent."""

import math
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence, Set
from uuid import uuid4

from django.conf import settings

from events.live.messages import LAST, NOTHING, OPENING, RESYNC, TICK, Offset
from events.live.readers import NOBODY, Reader

__all__ = ["Stream"]

# The first write to a connection that the other side has closed goes well, the next one fails: ask twice.
SECOND_KEEPALIVE = 0.5
LONGEST_QUEUE = 100
# The page then comes back by itself, and its rights are looked at anew.
LIFETIME = 10 * 60.0
_LUCK = random.SystemRandom()


class Stream(Iterator[bytes]):
    """Server-sent events for one page. `close()` ends it, whoever calls first: the reader, or the process."""

    def __init__(
        self,
        topics: frozenset[str],
        forget: Callable[["Stream"], None],
        reader: Reader = NOBODY,
        *,
        is_numbered: bool = False,
    ) -> None:
        self.topics = topics
        self.reader = reader
        self.is_numbered = is_numbered
        self.lease = uuid4().hex
        self._forget = forget
        self._queue: deque[bytes] = deque([OPENING])
        # What comes before a numbered one has begun; then the offset from which on it hears.
        self._held: list[tuple[bytes, Offset | None]] | None = [] if is_numbered else None
        self._after: Offset | None = None
        self._changed = threading.Condition()  # may be taken again by who holds it
        self._ended = False
        self._asked_once = False
        self._until = time.monotonic() + LIFETIME * _LUCK.uniform(0.8, 1.2)
        lasts = math.inf if reader.seconds is None else reader.seconds
        self._allowed_until = time.monotonic() + lasts

    def begin(self, first: Sequence[bytes], offset: Offset) -> None:
        """Let a numbered stream say these first, then what has come since that is not among them."""
        with self._changed:
            held, self._held, self._after = self._held or [], None, offset
            self._queue.extend(first)
            for event, at in held:
                self.put(event, at)
            self._changed.notify()

    def put(self, event: bytes, offset: Offset | None = None) -> None:
        """Queue an event; a page that reads too slowly is told to look again instead."""
        with self._changed:
            if self._ended or (offset and self._after and offset <= self._after):
                return
            if self._held is not None:
                self._held.append((event, offset))
                return
            if len(self._queue) >= LONGEST_QUEUE * (10 if self.is_numbered else 1):
                self._queue.clear()
                event = RESYNC
            self._queue.append(event)
            self._changed.notify()

    def end(self) -> None:
        """Let the reader find the end."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def lose(self, rights: Set[str]) -> None:
        """End, for these rights are over. If others may take their place, the reader comes back by itself."""
        if rights & self.reader.rights <= self.reader.passing:
            self.end()
        else:
            self.expel()

    def expel(self) -> None:
        """Say that its right to be is over, and let the reader find the end after that."""
        with self._changed:
            if not self._ended:
                self._queue.append(LAST)
                self._ended = True
                self._changed.notify()

    def close(self) -> None:
        """End, and be forgotten."""
        self.end()
        self._forget(self)

    def __next__(self) -> bytes:
        """Wait for events, or for the time of the next keepalive."""
        with self._changed:
            if not self._queue and not self._is_over():
                keepalive = SECOND_KEEPALIVE if self._asked_once else settings.LIVE_KEEPALIVE
                self._changed.wait(min(keepalive, max(0.0, self._allowed_until - time.monotonic())))
            if time.monotonic() >= self._allowed_until:
                self.expel()
            chunk = b"".join(self._queue)
            self._queue.clear()
            over = self._is_over()
        if over and not chunk.endswith(LAST):
            self.close()
            raise StopIteration
        if chunk:
            self._asked_once = False
            return chunk
        self._asked_once = not self._asked_once
        return TICK if self._asked_once else NOTHING

    def _is_over(self) -> bool:
        return self._ended or time.monotonic() > self._until
