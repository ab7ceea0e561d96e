"""What is told: on its way through Valkey, and as a server-sent event."""

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
    "OPENING",
    "PLACE",
    "RESYNC",
    "TICK",
    "Message",
    "Place",
]

EVERYBODY = "*"
# Browsers that lose the stream come back after so many milliseconds.
OPENING = b"retry: 3000\n\n"
# Also lets hidden tabs look now and then, whose timers browsers slow down.
TICK = b"event: tick\ndata: {}\n\n"
NOTHING = b":\n\n"
# Messages may have been missed: whoever listens should look again.
RESYNC = b"event: resync\ndata: {}\n\n"
# The last words to whoever may listen no more; what ends for other reasons ends without them.
LAST = b"event: ended\ndata: {}\n\n"
PLACE = "[0-7]?[0-9a-f]{1,15}(-[0-7]?[0-9a-f]{1,15}){2}"  # what a bigint holds
# The kind of messages whose topics are rights that have ended.
ENDED = "right.ended"


class Place(NamedTuple):
    """A place in what was told. Those of one cluster have an order."""

    cluster: int
    transaction: int
    notice: int

    def __str__(self) -> str:
        return "-".join(f"{number:x}" for number in self)

    @classmethod
    def read(cls, text: str) -> "Place":
        """The place of a text; a ValueError when it is none."""
        if not re.fullmatch(PLACE, text):
            raise ValueError(f"not a place: {text!r:.100}")
        return cls(*(int(number, 16) for number in text.split("-")))

    def tick(self) -> bytes:
        """Tell a stream how far it has come."""
        return f"event: tick\nid: {self}\ndata: {{}}\n\n".encode()


@dataclass(frozen=True, slots=True)
class Message:
    """Something of this kind happened; ids say to what."""

    topics: tuple[str, ...]
    kind: str
    ids: dict[str, int]
    players: tuple[int, ...] = ()  # of what it tells, where whoever hears it may know them
    place: Place | None = None  # where it is kept

    def packed(self) -> str:
        """The message for Valkey."""
        told: dict[str, Any] = {"topics": self.topics, "kind": self.kind, "ids": self.ids}
        told |= {"players": self.players} if self.players else {}
        return _json({**told, "place": self.place} if self.place else told)

    @classmethod
    def unpacked(cls, text: str | bytes) -> "Message":
        """The message from Valkey; a ValueError when it is none."""
        try:
            told = json.loads(text)
            return cls(
                tuple(told["topics"]),
                told["kind"],
                told["ids"],
                tuple(told.get("players", ())),
                Place(*told["place"]) if "place" in told else None,
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a live message: {text!r:.100}") from error

    def event(self, topics: Iterable[str]) -> bytes:
        """The message for a page that listens to these of its topics, and learns of no others."""
        told: dict[str, Any] = {"kind": self.kind, "topics": sorted(topics), "ids": self.ids}
        told |= {"players": self.players} if self.players else {}
        return f"data: {_json(told)}\n\n".encode()


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
