"""What is told: on its way through Valkey, and as a server-sent event."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["ENDED", "EVERYBODY", "LAST", "NOTHING", "OPENING", "RESYNC", "TICK", "Message"]

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
# The kind of messages whose topics are rights that have ended.
ENDED = "right.ended"


@dataclass(frozen=True, slots=True)
class Message:
    """Something of this kind happened; ids say to what."""

    topics: tuple[str, ...]
    kind: str
    ids: dict[str, int]

    def packed(self) -> str:
        """The message for Valkey."""
        return _json({"topics": self.topics, "kind": self.kind, "ids": self.ids})

    @classmethod
    def unpacked(cls, text: str | bytes) -> "Message":
        """The message from Valkey; a ValueError when it is none."""
        try:
            told = json.loads(text)
            return cls(tuple(told["topics"]), told["kind"], told["ids"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a live message: {text!r:.100}") from error

    def event(self, topics: Iterable[str]) -> bytes:
        """The message for a page that listens to these of its topics, and learns of no others."""
        told = {"kind": self.kind, "topics": sorted(topics), "ids": self.ids}
        return f"data: {_json(told)}\n\n".encode()


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
