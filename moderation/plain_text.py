"""What people write to moderators: plain text, in which nothing reorders or hides what stands around it."""

import re
import unicodedata

__all__ = ["tidy_text"]

# Of control, of direction, of no width: all that a sentence does not need.
_INVISIBLE = re.compile(
    r"[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
_MANY_LINES = re.compile(r"\n{3,}")


def tidy_text(text: str) -> str:
    """The text as it is kept: lines end alike, and nothing invisible is in it."""
    lines = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _MANY_LINES.sub("\n\n", _INVISIBLE.sub("", lines.replace("\t", " "))).strip()
