"""Messages to streams: as they go through Valkey, and as server-sent events."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

__all__ = [
    "ENDED",
    "EVERYBODY",
    "LAST",
    "NOTHING",
    "OFFSET",
    "OPENING",
    "RESYNC",
    "TICK",
    "Message",
    "Offset",
    "json_of",
]

EVERYBODY = "*"
# Browsers that lose the stream come back after so many milliseconds.
OPENING = b"retry: 3000\n\n"
# Also lets hidden tabs look now and then, whose timers browsers slow down.
TICK = b"event: tick\ndata: {}\n\n"
NOTHING = b":\n\n"
# Messages may have been missed: readers should ask again for what they show.
RESYNC = b"event: resync\ndata: {}\n\n"
# The last event of a stream whose rights have ended; one that ends for other reasons ends without it.
LAST = b"event: ended\ndata: {}\n\n"
OFFSET = "[0-7]?[0-9a-f]{1,15}(-[0-7]?[0-9a-f]{1,15}){2}"  # what a bigint holds
# The kind of messages whose topics are rights that have ended.
ENDED = "right.ended"


class Offset(NamedTuple):
    """An offset among the messages that are kept (`notices`). Offsets of one cluster have an order."""

    cluster: int
    transaction: int
    notice: int

    def __str__(self) -> str:
        return "-".join(f"{number:x}" for number in self)

    @classmethod
    def read(cls, text: str) -> "Offset":
        """The offset of a text; a ValueError when it is none."""
        if not re.fullmatch(OFFSET, text):
            raise ValueError(f"not an offset: {text!r:.100}")
        return cls(*(int(number, 16) for number in text.split("-")))

    def tick(self) -> bytes:
        """The event that says up to where a stream is complete."""
        return f"event: tick\nid: {self}\ndata: {{}}\n\n".encode()


@dataclass(frozen=True, slots=True)
class Message:
    """An event of a kind (`events.kinds`), for the streams of some topics; `ids` name what it is about."""

    topics: tuple[str, ...]
    kind: str
    ids: dict[str, int]
    players: tuple[int, ...] = ()  # of the ticket, where a message is about one
    offset: Offset | None = None  # where it is kept

    def packed(self) -> str:
        """The message for Valkey: one line."""
        body: dict[str, Any] = {"topics": self.topics, "kind": self.kind, "ids": self.ids}
        if self.players:
            body["players"] = self.players
        if self.offset:
            body["offset"] = self.offset
        return json_of(body)

    @classmethod
    def unpacked(cls, text: str | bytes) -> "Message":
        """The message of a line from Valkey; a ValueError when it is none."""
        try:
            body = json.loads(text)
            return cls(
                tuple(body["topics"]),
                body["kind"],
                body["ids"],
                tuple(body.get("players", ())),
                Offset(*body["offset"]) if "offset" in body else None,
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a live message: {text!r:.100}") from error

    def event(self, topics: Iterable[str]) -> bytes:
        """The message as a server-sent event that names only these of its topics."""
        body: dict[str, Any] = {"kind": self.kind, "topics": sorted(topics), "ids": self.ids}
        body |= {"players": self.players} if self.players else {}
        return f"data: {json_of(body)}\n\n".encode()


json_of = json.JSONEncoder(separators=(",", ":")).encode  # `dumps` would make one for each
