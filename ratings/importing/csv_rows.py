"""The rows of a CSV file of matches: from lines to values that fit the database, or to faults that say where."""

import csv
import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import ClassVar, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ratings.evaluation.reading.cells import parse_number, parse_score, shorten
from ratings.importing.fields import identity_of, read_truth
from ratings.importing.file_lines import Lines
from ratings.importing.problems import Problems
from ratings.importing.reader import Form, Reader, Staged, participants_of
from ratings.models import MatchShape

__all__ = ["COLUMNS", "Rows"]

COLUMNS = ("date", "player_a", "player_b", "score_a")
# These mean something too where they are there.
OPTIONAL = ("neutral", "points_a", "points_b")


T = TypeVar("T")
_A_SCORE = gettext_noop("must be 1, 0.5 or 0")
_A_TRUTH = gettext_noop("must be 1 or 0, or true or false")
_A_NUMBER = gettext_noop("must be a number, or nothing")
_as_json = json.JSONEncoder(ensure_ascii=False).encode  # `dumps` would make one for each row


class Rows(Reader):
    """Reads CSV, one against one."""

    form: ClassVar[Form] = Form("score_a", "points_a, points_b", "minutes")

    def __init__(self, lines: Lines, problems: Problems, *, now: datetime) -> None:
        super().__init__(lines, problems, now=now)
        self._header: list[str] = []
        self._extra: list[int] = []
        self._optional: dict[str, int] = {}

    @property
    def shape(self) -> MatchShape:
        return MatchShape.exactly(2, 1)

    def say_result(self, ranks: list[int]) -> str:
        first, second = ranks
        return f"{(second - first + 1) / 2:g}"

    def staged(self) -> Iterator[Staged]:
        records = self._records()
        header = next(records, None)
        if header is None:
            self._line = 1
            self._add("", "", _("the file is empty; must begin with %s") % ",".join(COLUMNS))
            self._problems.raise_if_any()
            return
        ours = {*COLUMNS, *OPTIONAL}
        self._header = [name.lower() if name.lower() in ours else name for name in header]
        for column, name in enumerate(self._header):
            if not name:
                self._add("", "", _("column %d has no name; must have one") % (column + 1))
            elif name in self._header[:column]:
                self._add("", "", _("column %s is there twice; must be once") % shorten(name))
        if missing := [name for name in COLUMNS if name not in self._header]:
            text = _("no column %(missing)s; must be separated by commas, with %(columns)s")
            if len(self._header) == 1 and ";" in self._header[0]:
                text = _(
                    "the columns are separated by semicolons; must be by commas, with %(columns)s"
                )
            self._add("", "", text % {"missing": ", ".join(missing), "columns": ",".join(COLUMNS)})
        self._problems.raise_if_any()
        self._columns = [self._header.index(name) for name in COLUMNS]
        self._optional = {
            name: self._header.index(name) for name in OPTIONAL if name in self._header
        }
        taken = {*self._columns, *self._optional.values()}
        self._extra = [i for i in range(len(self._header)) if i not in taken]
        for record in records:
            row = self._read(record)
            if row is not None:
                self._count(row.played_at)
                yield row

    def _records(self) -> Iterator[list[str]]:
        """Yield the records that hold anything; `_line` is where each begins, as a quoted field may hold lines."""
        reader = csv.reader(self._lines, strict=True, skipinitialspace=True)
        while True:
            self._line = self._lines.number + 1
            try:
                record = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                text = _("is not CSV (%s); check the quotes and line ends")
                self._add("", "", text % error)
                self._problems.raise_if_any()
            else:
                fields = [field.strip() for field in record]
                if any(fields):
                    yield fields

    def _read(self, record: list[str]) -> Staged | None:
        """Return the row, or None when it has a fault; every fault of the row is noted."""
        if len(record) != len(self._header):
            text = _("has %(found)d fields; must have %(wanted)d, like the header")
            self._add("", "", text % {"found": len(record), "wanted": len(self._header)})
            return None
        known = len(self._problems)
        date, name_a, name_b, score_text = (record[column] for column in self._columns)
        played_at = self._moment(date)
        player_a, player_b = self._name("player_a", name_a), self._name("player_b", name_b)
        score_a = self._try(parse_score, "score_a", score_text, _A_SCORE)
        neutral = False
        points_a: float | None = None
        points_b: float | None = None
        if self._optional:
            texts = {name: record[column] for name, column in self._optional.items()}
            neutral = bool(self._try(read_truth, "neutral", texts.get("neutral", ""), _A_TRUTH))
            points_a, points_b = (
                self._try(_points, name, texts.get(name, ""), _A_NUMBER)
                for name in ("points_a", "points_b")
            )
        if player_a is not None and player_a == player_b:
            self._add("player_b", name_b, _("must be another player than player_a"))
        if played_at is None or player_a is None or player_b is None or score_a is None:
            return None
        if len(self._problems) > known:
            return None
        identity = identity_of(played_at, player_a, player_b)
        extra = _as_json({self._header[i]: record[i] for i in self._extra})
        sides = ((player_a, score_a < 0.5, points_a), (player_b, score_a > 0.5, points_b))
        participants = participants_of(
            {"team": team, "rank": int(lost), "player": name, "score": points}
            for team, (name, lost, points) in enumerate(sides)
        )
        return Staged(self._line, played_at, identity, extra, neutral, "", participants)

    def _try(self, read: Callable[[str], T], column: str, text: str, expected: str) -> T | None:
        """Read a field; `expected`, which is translated only for a fault, says what is right."""
        try:
            return read(text)
        except ValueError:
            self._add(column, text, _(expected))
            return None


def _points(text: str) -> float | None:
    """What a player counted in the game: any finite number, or nothing."""
    return parse_number(text) if text else None
