"""CSV of games of one against one: date,player_a,player_b,score_a and optional columns."""

import csv
from collections.abc import Iterable, Iterator

import numpy as np

from ratings.evaluation.played_games import Played
from ratings.evaluation.reading.cells import (
    FileError,
    Roll,
    moments,
    read_moment,
    read_number,
    read_score,
    shorten,
)
from ratings.systems import Duels
from ratings.systems.arrays import Floats
from ratings.systems.parameters import gettext_noop as _

__all__ = ["COLUMNS", "POINTS", "read_table"]

COLUMNS = ("date", "player_a", "player_b", "score_a")
# What may stand before _a and _b in the columns of points; the first that is there is taken.
POINTS = ("points", "goals", "kills", "frags")
_SIDED = ("minutes", *POINTS)
_READ = {*COLUMNS, "neutral", "minutes", *(f"{name}_{who}" for name in _SIDED for who in "ab")}
_NEUTRAL = {"0": 1.0, "1": 0.0}

Row = tuple[int, list[str]]


def read_table(lines: Iterable[str]) -> Played:
    """Read the games of a CSV file; raises FileError.

    `neutral`: 0 where player_a plays the better side, 1 where nobody does; without this column nobody
    does in any game. `goals_a`, `goals_b` (or points, kills, frags): points of both. `minutes`, or
    `minutes_a`, `minutes_b`: how long they took part. Other columns are passed over.
    """
    rows = _rows(lines)
    first, cells = next(rows, (1, []))
    header = [cell.lstrip("\ufeff").lower() for cell in cells]
    if missing := [name for name in COLUMNS if name not in header]:
        expected = _("no column %(missing)s; the first line must name %(columns)s")
        names = {"missing": ", ".join(missing), "columns": ",".join(COLUMNS)}
        raise FileError(first, expected, **names)
    if twice := [name for name in header if name and header.count(name) > 1]:
        raise FileError(first, _("column %(name)s is there twice; must be once"), name=twice[0])
    # Other columns may hold anything, and much of it.
    columns = [column for column, name in enumerate(header) if name in _READ]
    games = []
    for line, cells in rows:
        if len(cells) != len(header):
            expected = _("has %(found)d fields; must have %(wanted)d, like the header")
            raise FileError(line, expected, found=len(cells), wanted=len(header))
        games.append((line, [cells[column] for column in columns]))
    if not games:
        raise FileError(1, _("the file has no game below its header; must have one or more"))
    return _Table([header[column] for column in columns], games).played()


class _Table:
    """The rows by the names of their columns."""

    def __init__(self, header: list[str], games: list[Row]) -> None:
        self.header = header
        self.lines = [line for line, _ in games]
        self.columns = dict(zip(header, zip(*(row for _, row in games), strict=True), strict=True))

    def played(self) -> Played:
        roll, column = Roll(), self.columns
        at = [read_moment(text, line) for line, text in self._cells("date")]
        pairs = [
            (roll.number(a, line, "player_a"), roll.number(b, line, "player_b"))
            for line, a, b in zip(self.lines, column["player_a"], column["player_b"], strict=True)
        ]
        players = np.array(pairs, dtype=np.int64)
        if (same := np.flatnonzero(players[:, 0] == players[:, 1])).size:
            raise FileError(self.lines[same[0]], _("player_b must be another player than player_a"))
        scores = np.array([read_score(text, line) for line, text in self._cells("score_a")])
        side = points = minutes = None
        if "neutral" in column:
            for line, text in self._cells("neutral"):
                if text not in _NEUTRAL:
                    expected = _(
                        "neutral %(value)s must be 0 (player_a has the better side) or 1 (nobody has)"
                    )
                    raise FileError(line, expected, value=shorten(text))
            side = np.array([_NEUTRAL[text] for text in column["neutral"]])
        kinds = (kind for kind in POINTS if f"{kind}_a" in column and f"{kind}_b" in column)
        if (kind := next(kinds, None)) is not None:
            points = self._numbers(f"{kind}_a", f"{kind}_b")
        duels = Duels(players[:, 0], players[:, 1], scores, side, points)
        when = moments(at, self.lines)
        for names in (("minutes_a", "minutes_b"), ("minutes", "minutes")):
            if all(name in column for name in names):
                minutes = self._numbers(*names)
                break
        return Played(when, duels, roll.names, minutes, np.array(self.lines))

    def _cells(self, name: str) -> Iterator[tuple[int, str]]:
        return zip(self.lines, self.columns[name], strict=True)

    def _numbers(self, *names: str) -> Floats | None:
        """Columns of numbers, one beside the other; None where a cell is empty: not all is known."""
        if not all(all(self.columns[name]) for name in names):
            return None
        columns = [
            [read_number(text, line, name) for line, text in self._cells(name)] for name in names
        ]
        return np.array(columns).T


def _rows(lines: Iterable[str]) -> Iterator[Row]:
    reader = csv.reader(lines, strict=True, skipinitialspace=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            expected = _("is not CSV (%(error)s); check the quotes and line ends")
            raise FileError(reader.line_num, expected, error=str(error)) from error
        if any(cells := [cell.strip() for cell in row]):
            yield reader.line_num, cells
