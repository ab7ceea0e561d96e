"""Single values of files, for evaluation and for importing alike: moments, scores, numbers, names.

What begins with `parse` raises ValueError; the others say what is wrong, in which line.
"""

import math
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from ratings.systems.arrays import Ints
from ratings.systems.parameters import gettext_noop as _

__all__ = [
    "FileError",
    "Roll",
    "moments",
    "normalize_name",
    "parse_moment",
    "parse_number",
    "parse_score",
    "read_moment",
    "read_number",
    "read_score",
    "shorten",
]

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SHOWN = 60
_SCORES = {"1": 1.0, "0.5": 0.5, "0": 0.0}


def parse_moment(text: str) -> datetime:
    """An ISO date or time in UTC; without zone it is UTC, and a date is its midnight."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(text) from error


def parse_number(value: object) -> float:
    """A finite number, from text or as it is."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(value)
    try:
        number = float(value)
    except OverflowError as error:
        raise ValueError(value) from error
    if not math.isfinite(number):
        raise ValueError(value)
    return number


def parse_score(text: str) -> float:
    """The score of a player: 1, 0.5 or 0 in any spelling of a number."""
    score = _SCORES.get(text)
    if score is None:
        score = float(text)
        if score not in (0.0, 0.5, 1.0):
            raise ValueError(text)
    return score


def normalize_name(text: str) -> str:
    """A name without blanks around it; one name is one sequence of signs (Unicode NFC)."""
    return unicodedata.normalize("NFC", text.strip())


class Roll:
    """The players by name, in the order in which they appear."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, name: str, line: int, where: str) -> int:
        """The number of a player."""
        found = self.numbers.get(name)
        if found is None:
            clean = normalize_name(name)
            if not clean:
                raise FileError(line, _("%(where)s is empty; must be a name"), where=where)
            found = self.numbers.setdefault(clean, len(self.numbers))
        return found

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.numbers)


def read_moment(text: object, line: int) -> int:
    """Microseconds since 2000."""
    try:
        if not isinstance(text, str):
            raise ValueError(text)
        return (parse_moment(text.strip()) - _EPOCH) // _MICROSECOND
    except ValueError as error:
        expected = _(
            "date %(value)s must be an ISO date or time, such as 2024-05-31 or 2024-05-31T18:30:00Z"
        )
        raise FileError(line, expected, value=shorten(text)) from error


def read_number(value: object, line: int, where: str) -> float:
    """A finite number, from text or as it is."""
    try:
        return parse_number(value)
    except ValueError as error:
        expected = _("%(where)s %(value)s must be a number")
        raise FileError(line, expected, where=where, value=shorten(value)) from error


def read_score(text: str, line: int) -> float:
    """The score of player_a."""
    try:
        return parse_score(text)
    except ValueError as error:
        read_number(text, line, "score_a")  # says so where it is no number at all
        expected = _("score_a %(value)s must be 1, 0.5 or 0")
        raise FileError(line, expected, value=shorten(text)) from error


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
