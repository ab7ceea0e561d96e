"""Single values of a file: moments, names, numbers; and what is wrong with a file, in which line."""

import math
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from ratings.systems.arrays import Ints
from ratings.systems.parameters import gettext_noop as _

__all__ = ["FileError", "Roll", "moments", "read_moment", "read_number", "shorten"]

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SHOWN = 60


class Roll:
    """The players by name, in the order in which they appear."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, name: str, line: int, where: str) -> int:
        """The number of a player; one name is one sequence of signs (Unicode NFC)."""
        found = self.numbers.get(name)
        if found is None:
            clean = unicodedata.normalize("NFC", name.strip())
            if not clean:
                raise FileError(line, _("%(where)s is empty; must be a name"), where=where)
            found = self.numbers.setdefault(clean, len(self.numbers))
        return found

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.numbers)


def read_moment(text: object, line: int) -> int:
    """Microseconds since 2000; without zone it is UTC, and a date is its midnight."""
    try:
        if not isinstance(text, str):
            raise TypeError
        moment = datetime.fromisoformat(text.strip())
        zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return (zoned - _EPOCH) // _MICROSECOND
    except (TypeError, ValueError, OverflowError) as error:
        expected = _(
            "date %(value)s must be an ISO date or time, such as 2024-05-31 or 2024-05-31T18:30:00Z"
        )
        raise FileError(line, expected, value=shorten(text)) from error


def read_number(value: object, line: int, where: str) -> float:
    """A finite number, from text or as it is."""
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        expected = _("%(where)s %(value)s must be a number")
        raise FileError(line, expected, where=where, value=shorten(value))
    return number


def moments(at: Sequence[int], lines: Sequence[int]) -> Ints:
    """The moments as an array; FileError when the file runs backwards."""
    if at and at[-1] < at[0]:
        expected = _("is dated before line %(first)d; the oldest game must come first")
        raise FileError(lines[-1], expected, first=lines[0])
    return np.array(at, dtype=np.int64)


class FileError(ValueError):
    """A line cannot be read. `template % words` says what would be right, for a translator."""

    def __init__(self, line: int, template: str, **words: str | int) -> None:
        self.line, self.template, self.words = line, template, words
        super().__init__(f"line {line}: {template % words if words else template}")


def shorten(value: object) -> str:
    """Quote a value for a message, cut where it would fill the screen."""
    text = value if isinstance(value, str) else str(value)
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
