"""The lines of a file: decoded, counted and digested as they pass, never all in memory."""

from collections import deque
from collections.abc import Iterator
from hashlib import sha256
from typing import BinaryIO

from django.utils.translation import gettext as _

from ratings.importing.problems import Problems

__all__ = ["Lines"]

LONGEST = 1 << 20
_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_OTHER_MARKS = (b"\xff\xfe", b"\xfe\xff")


class Lines:
    """Iterates over the text lines of `source`, and knows how much of it has passed.

    `number` is the line given last, counted from 1; `size` and `digest` cover the bytes read so far. Faults of the
    encoding go to `problems`; what follows them is still read, to find further faults.
    """

    def __init__(self, source: BinaryIO, problems: Problems) -> None:
        self.number = 0
        self.size = 0
        self._source = source
        self._problems = problems
        self._sum = sha256()
        self._head: deque[bytes] = deque()

    @property
    def digest(self) -> str:
        """SHA-256 of what was read so far, in hexadecimal digits."""
        return self._sum.hexdigest()

    def are_objects(self) -> bool:
        """Whether the first line that holds anything begins with a brace. It is still to be given afterwards."""
        while raw := self._source.readline(LONGEST):
            self._head.append(raw)
            if text := raw.removeprefix(_BOM).strip():
                return text.startswith(b"{")
        return False

    def __iter__(self) -> Iterator[str]:
        while raw := self._head.popleft() if self._head else self._source.readline(LONGEST):
            self.number += 1
            self.size += len(raw)
            self._sum.update(raw)
            if len(raw) == LONGEST and not raw.endswith(b"\n"):
                self._add(_("the line is too long; must be at most 1 MiB"))
                self._problems.raise_if_any()
            if self.number == 1:
                raw = raw.removeprefix(_BOM)
                if raw.startswith(_GZIP):
                    self._add(_("the file is compressed; unpack it first"))
                    self._problems.raise_if_any()
                if raw.startswith(_OTHER_MARKS):
                    self._add(_("the file is UTF-16; save it as UTF-8 text"))
                    self._problems.raise_if_any()
            # What cannot be text is noted, and replaced by a sign that stands for it.
            try:
                text = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                words = {"byte": f"0x{raw[error.start]:02X}"}
                self._add(_("byte %(byte)s is not UTF-8; save the file as UTF-8 text") % words)
                text = raw.decode("utf-8", errors="replace")
            if "\0" in text:
                self._add(_("contains a NUL character; must be plain text"))
                text = text.replace("\0", "\N{REPLACEMENT CHARACTER}")
            yield text

    def _add(self, expected: str) -> None:
        self._problems.add(self.number, "", "", expected)
