"""Reading the kept messages, so that numbered streams get what Valkey lost, and know up to where they are complete.

What came through Valkey is noted by its offset. Every few seconds the rest is read, and the streams are sent the offset
up to which nothing is missing: a reader who comes back with it begins there.
"""

import threading
import time

from events.live.messages import Message, Offset
from events.live.notices import GoneError, Kept, head, read

__all__ = ["Follower"]

TICK_EVERY = 30.0  # seconds, while nothing happens


class Follower:
    """How far this process has read for its numbered streams. Does nothing while there are none."""

    def __init__(self) -> None:
        # Held while messages are handed on: an offset is sent only after everything before it. The hub's own lock
        # is taken inside this one, never around it.
        self.order = threading.RLock()
        self._offset: Offset | None = None
        self._seen: set[Offset] | None = None
        self._ticked_at = 0.0
        self.begun = 0  # how many streams have begun to follow

    def begin(self, offset: Offset | None = None) -> None:
        """Note what comes from now on; with an offset, read on from there unless that is done already."""
        with self.order:
            self.begun += 1
            self._seen = set() if self._seen is None else self._seen
            self._offset = self._offset or offset

    def stop(self, begun: int) -> None:
        """Stop reading, unless a stream has begun to follow since `begun` was read."""
        with self.order:
            if self.begun == begun:
                self._offset, self._seen = None, None

    def is_new(self, message: Message) -> bool:
        """Note a message that came; whether it has not been handed on before."""
        if message.offset is None or self._seen is None:
            return True
        if message.offset in self._seen or (self._offset and message.offset <= self._offset):
            return False
        self._seen.add(message.offset)
        return True

    def look(self) -> Kept | None:
        """What there is after our offset; None where no stream follows. Raises GoneError, and goes on from now then."""
        offset = self._offset
        if offset is None:
            return None
        try:
            return read(offset, None)
        except GoneError:
            self._offset = head()
            raise

    def take(self, kept: Kept) -> list[Message]:
        """Move on; returns what had not come through Valkey. Hold `order` until that is handed on."""
        seen = self._seen or set()
        missed = [message for _at, message in kept.messages if message.offset not in seen]
        self._seen = {offset for offset in seen if offset > kept.offset}
        self._offset = kept.offset
        return missed

    def is_time_to_tick(self, kept: Kept) -> bool:
        """Whether streams should learn the offset now."""
        now = time.monotonic()
        if not kept.messages and now < self._ticked_at + TICK_EVERY:
            return False
        self._ticked_at = now
        return True
