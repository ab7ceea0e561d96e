"""Following what is kept, so that numbered streams hear what Valkey lost, and learn how far they have come.

What came through Valkey is noted by its place. Every few seconds the rest is read, and the streams are told the place
up to which nothing is missing: whoever comes back with it begins there.
"""

import threading
import time

from events.live.keeping import GoneError, Kept, head, read
from events.live.messages import Message, Place

__all__ = ["Follower"]

TICK_EVERY = 30.0  # seconds, while nothing happens


class Follower:
    """How far this process has read for its numbered streams. Does nothing while there are none."""

    def __init__(self) -> None:
        # Who hands something on holds it: a place is told only after everything before it. The hub's own lock is
        # taken inside this one, never around it.
        self.order = threading.RLock()
        self._place: Place | None = None
        self._heard: set[Place] | None = None
        self._ticked_at = 0.0
        self.begun = 0  # how many streams have begun to follow

    def begin(self, place: Place | None = None) -> None:
        """Note what is heard from now on; with a place, read on from there unless that is done already."""
        with self.order:
            self.begun += 1
            self._heard = set() if self._heard is None else self._heard
            self._place = self._place or place

    def stop(self, begun: int) -> None:
        """Nobody follows any more, unless somebody has begun since there were so many."""
        with self.order:
            if self.begun == begun:
                self._place, self._heard = None, None

    def is_new(self, message: Message) -> bool:
        """Note a message that came; whether it has not been handed on before."""
        if message.place is None or self._heard is None:
            return True
        if message.place in self._heard or (self._place and message.place <= self._place):
            return False
        self._heard.add(message.place)
        return True

    def look(self) -> Kept | None:
        """What there is after our place; None where nobody follows. Raises GoneError, and goes on from now then."""
        place = self._place
        if place is None:
            return None
        try:
            return read(place, None)
        except GoneError:
            self._place = head()
            raise

    def take(self, kept: Kept) -> list[Message]:
        """Move on; returns what had not been heard. Under `order`, until that is handed on."""
        heard = self._heard or set()
        missed = [message for _at, message in kept.told if message.place not in heard]
        self._heard = {place for place in heard if place > kept.place}
        self._place = kept.place
        return missed

    def is_time_to_tick(self, kept: Kept) -> bool:
        """Whether streams should learn the place now."""
        now = time.monotonic()
        if not kept.told and now < self._ticked_at + TICK_EVERY:
            return False
        self._ticked_at = now
        return True
