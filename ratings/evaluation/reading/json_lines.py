"""JSON lines of contests: one object a line, with date, teams and ranks."""

import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ratings.evaluation.played_games import Played
from ratings.evaluation.reading.cells import (
    FileError,
    Roll,
    moments,
    read_moment,
    read_number,
    shorten,
)
from ratings.systems import Contests
from ratings.systems.parameters import gettext_noop as _

__all__ = ["Told", "read_json_lines", "read_line"]

# Name in the file, and the column of the contests it fills.
_OPTIONAL = {"weights": "weight", "scores": "score", "minutes": "minutes"}
_LARGEST = 2**62


def read_json_lines(lines: Iterable[str]) -> Played:
    """Read the contests of a file; raises FileError.

    teams    a list of two or more lists of players (names, or whole numbers)
    ranks    one whole number a team, 0 is best; equal ranks are a tie
    weights, scores, minutes
             optional: one entry a team, which is a list of numbers, one a player, or one number that
             holds for each of them. What some line leaves out is not known of any.
    """
    read = _Contests()
    for number, text in enumerate(lines, start=1):
        if text.strip("\ufeff \t\r\n"):
            read.add(read_line(text, number), number)
    return read.played()


@dataclass(frozen=True, slots=True)
class Told:
    """What a line tells of a contest.

    teams    names of the players, by team; nobody is named twice
    ranks    one a team
    figures  by the name in the file: one number a player, team by team; None where the line has none
    date     as it stands there, and so does everything else, in `others`
    """

    date: object
    teams: list[list[str]]
    ranks: list[int]
    figures: dict[str, list[float] | None]
    others: dict[str, Any]


def read_line(text: str, line: int) -> Told:
    """Read one line; raises FileError."""
    found = _object(text, line)
    date, teams = found.pop("date", None), _teams(found.pop("teams", None), line)
    ranks = _ranks(found.pop("ranks", None), len(teams), line)
    figures = {name: _numbers(found.pop(name, None), teams, line, name) for name in _OPTIONAL}
    return Told(date, teams, ranks, figures, found)


class _Contests:
    """Long columns that grow by a contest a line."""

    def __init__(self) -> None:
        self.roll = Roll()
        self.at: list[int] = []
        self.lines: list[int] = []
        self.rows: list[tuple[int, int, int, int]] = []
        self.optional: dict[str, list[float] | None] = {name: [] for name in _OPTIONAL}

    def add(self, told: Told, line: int) -> None:
        """Take in one line."""
        self.at.append(read_moment(told.date, line))
        contest = len(self.lines)
        self.rows += [
            (contest, team, self.roll.number(player, line, "teams"), told.ranks[team])
            for team, players in enumerate(told.teams)
            for player in players
        ]
        for name, numbers in told.figures.items():
            before = self.optional[name]
            if numbers is None or before is None:
                self.optional[name] = None
            else:
                before.extend(numbers)
        self.lines.append(line)

    def played(self) -> Played:
        contest, team, player, rank = np.array(self.rows, dtype=np.int64).reshape(-1, 4).T
        optional = {
            _OPTIONAL[name]: np.array(column)
            for name, column in self.optional.items()
            if column is not None
        }
        contests = Contests(contest, team, player, rank, **optional)
        when = moments(self.at, self.lines)
        return Played(when, contests, self.roll.names, lines=np.array(self.lines))


def _object(text: str, line: int) -> dict[str, Any]:
    try:
        found = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        expected = _("is not JSON (%(error)s); must be one object per line")
        raise FileError(line, expected, error=str(error)) from error
    if not isinstance(found, dict):
        raise FileError(line, _("must be an object with date, teams and ranks"))
    return found


def _teams(found: Any, line: int) -> list[list[str]]:
    """The players' names as `Roll` knows them."""
    if not (isinstance(found, list) and len(found) >= 2 and all(map(_is_team, found))):
        expected = _("teams must be a list of two or more lists of players, none of them empty")
        raise FileError(line, expected)
    teams = [[unicodedata.normalize("NFC", str(name).strip()) for name in team] for team in found]
    players = [player for team in teams for player in team]
    if len(set(players)) < len(players):
        raise FileError(line, _("teams name a player twice; each may play once"))
    return teams


def _is_team(team: Any) -> bool:
    is_list = isinstance(team, list) and bool(team)
    return is_list and all(isinstance(p, str | int) and not isinstance(p, bool) for p in team)


def _ranks(found: Any, teams: int, line: int) -> list[int]:
    is_list = isinstance(found, list) and len(found) == teams
    if is_list and all(type(rank) is int and 0 <= rank < _LARGEST for rank in found):
        return list(found)
    expected = _("ranks %(value)s must be %(teams)d whole numbers, one per team; 0 is best")
    raise FileError(line, expected, value=shorten(found), teams=teams)


def _numbers(found: Any, teams: list[list[str]], line: int, name: str) -> list[float] | None:
    """One number a player, of entries that are lists or numbers for the whole team; None of nothing."""
    if found is None:
        return None
    if isinstance(found, list) and len(found) == len(teams):
        whole = [
            entry if isinstance(entry, list) else [entry] * len(team)
            for entry, team in zip(found, teams, strict=True)
        ]
        if all(len(entry) == len(team) for entry, team in zip(whole, teams, strict=True)):
            return [_within(value, line, name) for entry in whole for value in entry]
    expected = _("%(name)s %(value)s must have one entry per team: a number, or one per player")
    raise FileError(line, expected, name=name, value=shorten(found))


def _within(value: object, line: int, name: str) -> float:
    number = read_number(value, line, name)
    if name == "weights" and not 0 <= number <= 1:
        raise FileError(line, _("weights %(value)s must be from 0 to 1"), value=shorten(value))
    if name == "minutes" and number < 0:
        raise FileError(line, _("minutes %(value)s must not be negative"), value=shorten(value))
    return number
