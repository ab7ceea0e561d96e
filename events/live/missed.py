"""What a numbered stream says first: all that has happened while its reader was away, or that it should look anew."""

from collections.abc import Collection

from events.live.keeping import GoneError, head, read
from events.live.messages import RESYNC, Place

__all__ = ["missed_since"]

MOST = 500  # of what was missed; whoever missed more asks anew, or reads it a page at a time
_READINGS = 4


def missed_since(after: Place | None, topics: Collection[str]) -> tuple[list[bytes], Place]:
    """The events after a place, and the place that is reached with them."""
    try:
        if after is not None:
            return _read_all(after, topics)
    except GoneError:
        pass
    now = head()
    return [RESYNC, now.tick()], now


def _read_all(place: Place, topics: Collection[str]) -> tuple[list[bytes], Place]:
    """Read on to the end. Raises GoneError, also where that is too much for a stream."""
    events: list[bytes] = []
    for _ in range(_READINGS):
        kept = read(place, topics, MOST)
        place = kept.place
        for _at, message in kept.told:
            events.append(message.event(set(message.topics).intersection(topics)))
        if not kept.is_more:
            return [*events, place.tick()], place
        if len(events) >= MOST:
            break
    raise GoneError("too much was missed")
