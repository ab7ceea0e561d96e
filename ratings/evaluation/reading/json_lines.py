"""JSON lines of contests: one object a line, with date, teams and ranks."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ratings.evaluation.played_games import Played
from ratings.evaluation.reading.cells import (
    FileError,
    Roll,
    moments,
    normalize_name,
    read_moment,
    read_number,
    shorten,
)
from ratings.systems import Contests
from ratings.systems.parameters import gettext_noop as _

__all__ = ["ContestLine", "read_json_lines", "read_line"]

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
    roll, at, read = Roll(), list[int](), list[int]()
    rows: list[tuple[int, int, int, int]] = []
    optional: dict[str, list[float] | None] = {name: [] for name in _OPTIONAL}
    for number, text in enumerate(lines, start=1):
        if not text.strip("\ufeff \t\r\n"):
            continue
        line = read_line(text, number)
        at.append(read_moment(line.date, number))
        rows += [
            (len(read), team, roll.number(player, number, "teams"), line.ranks[team])
            for team, players in enumerate(line.teams)
            for player in players
        ]
        for name, numbers in line.figures.items():
            before = optional[name]
            if numbers is None or before is None:
                optional[name] = None
            else:
                before.extend(numbers)
        read.append(number)
    contest, team, player, rank = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    known = {
        _OPTIONAL[name]: np.array(column) for name, column in optional.items() if column is not None
    }
    contests = Contests(contest, team, player, rank, **known)
    return Played(moments(at, read), contests, roll.names, lines=np.array(read))


@dataclass(frozen=True, slots=True)
class ContestLine:
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


def read_line(text: str, line: int) -> ContestLine:
    """Read one line; raises FileError."""
    try:
        found = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        expected = _("is not JSON (%(error)s); must be one object per line")
        raise FileError(line, expected, error=str(error)) from error
    if not isinstance(found, dict):
        raise FileError(line, _("must be an object with date, teams and ranks"))
    given = found.pop("teams", None)
    is_list = isinstance(given, list) and len(given) >= 2
    if not is_list or not all(
        isinstance(team, list)
        and team
        and all(isinstance(name, str | int) and not isinstance(name, bool) for name in team)
        for team in given
    ):
        expected = _("teams must be a list of two or more lists of players, none of them empty")
        raise FileError(line, expected)
    teams = [[normalize_name(str(name)) for name in team] for team in given]  # as `Roll` knows them
    players = [player for team in teams for player in team]
    if len(set(players)) < len(players):
        raise FileError(line, _("teams name a player twice; each may play once"))
    date, ranks = found.pop("date", None), found.pop("ranks", None)
    is_list = isinstance(ranks, list) and len(ranks) == len(teams)
    if not (is_list and all(type(rank) is int and 0 <= rank < _LARGEST for rank in ranks)):
        expected = _("ranks %(value)s must be %(teams)d whole numbers, one per team; 0 is best")
        raise FileError(line, expected, value=shorten(ranks), teams=len(teams))
    figures = {name: _numbers(found.pop(name, None), teams, line, name) for name in _OPTIONAL}
    return ContestLine(date, teams, ranks, figures, found)


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
            numbers = []
            for value in (value for entry in whole for value in entry):
                number = read_number(value, line, name)
                if name == "weights" and not 0 <= number <= 1:
                    raise FileError(
                        line, _("weights %(value)s must be from 0 to 1"), value=shorten(value)
                    )
                if name == "minutes" and number < 0:
                    raise FileError(
                        line, _("minutes %(value)s must not be negative"), value=shorten(value)
                    )
                numbers.append(number)
            return numbers
    expected = _("%(name)s %(value)s must have one entry per team: a number, or one per player")
    raise FileError(line, expected, name=name, value=shorten(found))
