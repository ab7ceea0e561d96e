"""Cursors: a place on a leaderboard, to read on from, as a short opaque text for addresses."""

import base64
import binascii
import math
import struct
from dataclasses import dataclass

__all__ = ["Cursor"]

_LAYOUT = struct.Struct(">dq")
_MOST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Cursor:
    """A row's place in the order (value downwards, then player id upwards). `str()` gives 22 URL-safe characters."""

    value: float
    player_id: int

    def __str__(self) -> str:
        return base64.urlsafe_b64encode(_LAYOUT.pack(self.value, self.player_id))[:-2].decode()

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """Read what `str()` gave. Raises ValueError naming the text when it is anything else."""
        try:
            packed = base64.b64decode(text.encode("ascii") + b"==", altchars=b"-_", validate=True)
            value, player_id = _LAYOUT.unpack(packed)
        except (UnicodeEncodeError, binascii.Error, struct.error):
            raise _refusal(text) from None
        cursor = cls(value, player_id)
        if not math.isfinite(value) or not 0 < player_id <= _MOST or str(cursor) != text:
            raise _refusal(text)
        return cursor


def _refusal(text: str) -> ValueError:
    return ValueError(
        f"cursor {text[:40]!r} is no place on a leaderboard: must be 22 characters as the last page gave them"
    )
