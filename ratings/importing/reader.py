"""What both forms of match files have in common: what is staged of a match, and the faults of dates and names."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, ClassVar, NamedTuple

from django.utils.translation import gettext as _

from ratings.evaluation.reading.cells import parse_moment
from ratings.importing.fields import LONGEST_NAME, read_name
from ratings.importing.file_lines import Lines
from ratings.importing.problems import Problems
from ratings.models import MatchShape

__all__ = ["Form", "Reader", "Staged", "participants_of"]


class Staged(NamedTuple):
    """One match of a file, as it is staged. `extra` is JSON text; `identity` repeats when the match does.

    `neutral`: nobody plays the better side. `participants` is JSON text, of `participants_of`.
    """

    line: int
    played_at: datetime
    identity: bytes
    extra: str
    neutral: bool
    map: str
    participants: str


class Form(NamedTuple):
    """What a form of files calls the result of a match, and what players counted and how long they took part."""

    result: str
    scores: str
    minutes: str


def participants_of(participants: Iterable[dict[str, Any]]) -> str:
    """JSON of those who take part: `team`, `rank`, `player`, and where known `score`, `minutes`,
    `character`, `left_early`."""
    known = [
        {name: it for name, it in participant.items() if it is not None}
        for participant in participants
    ]
    return json.dumps(known)


class Reader(ABC):
    """Reads the matches of a file. Faulty ones go to `problems` instead.

    `count` is how many matches were good, `backwards` how many of those are dated before the one above them.
    """

    form: ClassVar[Form]

    def __init__(self, lines: Lines, problems: Problems, *, now: datetime) -> None:
        self.count = 0
        self.backwards = 0
        self._lines = lines
        self._problems = problems
        self._now = now
        self._line = 0
        self._previous: datetime | None = None

    @property
    @abstractmethod
    def shape(self) -> MatchShape:
        """Teams in each match, and players in each team; known once everything is read."""

    @abstractmethod
    def staged(self) -> Iterator[Staged]:
        """Read the matches."""

    @abstractmethod
    def say_result(self, ranks: list[int]) -> str:
        """A result as the file would tell it, of the ranks of the teams."""

    def _moment(self, text: str) -> datetime | None:
        try:
            moment = parse_moment(text)
        except ValueError:
            self._add(
                "date",
                text,
                _("must be an ISO date or time, such as 2024-05-31 or 2024-05-31T18:30:00+02:00"),
            )
            return None
        if moment > self._now:
            now = self._now.isoformat(timespec="seconds")
            self._add("date", text, _("must not be in the future; it is %s now") % now)
            return None
        return moment

    def _name(self, column: str, text: str) -> str | None:
        try:
            return read_name(text)
        except ValueError:
            expected = _("must be a name of 1 to %d visible characters") % LONGEST_NAME
            self._add(column, text, expected)
            return None

    def _count(self, played_at: datetime) -> None:
        self.count += 1
        if self._previous is not None and played_at < self._previous:
            self.backwards += 1
        self._previous = played_at

    def _add(self, column: str, value: str, expected: str) -> None:
        self._problems.add(self._line, column, value, expected)
