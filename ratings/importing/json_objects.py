"""Match files of JSON lines: one object a match, of any number of teams of any size."""

import json
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from foundation.refusals import RefusedError
from ratings.evaluation.reading.cells import FileError, shorten
from ratings.evaluation.reading.json_lines import Told, read_line
from ratings.importing.fields import identity_of
from ratings.importing.file_lines import Lines
from ratings.importing.problems import Problems
from ratings.importing.reader import Form, Reader, Staged, seats_of
from ratings.matches.player_stats import check_characters

__all__ = ["Objects"]

_LONGEST_MAP = 100


class Objects(Reader):
    """Reads JSON lines, in the form that `evaluation` reads too; with map, characters, neutral and left.

    `shape` is that of the ladder, where it is there already; else the first match has it.
    """

    form: ClassVar[Form] = Form("ranks", "scores", "minutes")

    def __init__(
        self, lines: Lines, problems: Problems, *, now: datetime, shape: tuple[int, int] | None
    ) -> None:
        super().__init__(lines, problems, now=now)
        self._shape = shape

    @property
    def shape(self) -> tuple[int, int]:
        return self._shape or (2, 1)

    def say_result(self, ranks: list[int]) -> str:
        return json.dumps(ranks)

    def staged(self) -> Iterator[Staged]:
        for text in self._lines:
            self._line = self._lines.number
            if not text.strip():
                continue
            match = self._read(text)
            if match is not None:
                self._count(match.played_at)
                yield match

    def _read(self, text: str) -> Staged | None:
        """Return the match, or None where something is wrong with it; what is found first is noted."""
        try:
            told = read_line(text, self._line)
            self._check_shape(told)
            if not isinstance(told.date, str):
                raise FileError(self._line, gettext_noop("date must be text"))
            return self._match(told, self._moment(told.date.strip()))
        except FileError as error:
            template = _(error.template)
            self._add("", "", template % error.words if error.words else template)
        except RefusedError as error:
            self._add("", "", str(error.detail))
        return None

    def _check_shape(self, told: Told) -> None:
        sizes = [len(team) for team in told.teams]
        count, size = self._shape or (len(sizes), sizes[0])
        if sizes == [size] * count:
            self._shape = count, size
        else:
            expected = gettext_noop(
                "teams must be %(teams)d of %(size)d, as in all matches of a ladder"
            )
            raise FileError(self._line, expected, teams=count, size=size)

    def _match(self, told: Told, played_at: datetime | None) -> Staged | None:
        others = dict(told.others)
        map_name = self._map(others.pop("map", None))
        neutral = self._neutral(others.pop("neutral", False))
        seats = self._seats(told, others.pop("characters", None), others.pop("left", None))
        if told.figures["weights"] is not None:
            expected = gettext_noop("weights are not kept: give minutes, from which they follow")
            raise FileError(self._line, expected)
        extra = self._extra(others)
        if played_at is None or seats is None:
            return None
        members = [name for team in told.teams for name in sorted(team)]
        identity = identity_of(played_at, *members)
        return Staged(self._line, played_at, identity, extra, neutral, map_name, seats_of(seats))

    def _seats(self, told: Told, characters: Any, left: Any) -> list[dict[str, Any]] | None:
        """Who takes part; None where a name has a fault."""
        players = [player for team in told.teams for player in team]
        names = [self._name("teams", player) for player in players]
        chosen = self._characters(characters, told.teams)
        check_characters(dict(zip(players, chosen, strict=True)), players)
        gone = self._left(left, players)
        if None in names:
            return None
        teams = [number for number, team in enumerate(told.teams) for _player in team]
        places, unknown = sorted(set(told.ranks)), [None] * len(players)
        columns = {
            "team": teams,
            "rank": [places.index(told.ranks[team]) for team in teams],
            "player": players,
            "score": told.figures["scores"] or unknown,
            "minutes": told.figures["minutes"] or unknown,
            "character": [name or None for name in chosen],
            "left_early": [player in gone or None for player in players],
        }
        rows = zip(*columns.values(), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def _characters(self, found: Any, teams: list[list[str]]) -> list[str]:
        """One a player, of entries that are lists or names for the whole team; nothing is no character."""
        entries = [None] * len(teams) if found is None else found
        if isinstance(entries, list) and len(entries) == len(teams):
            whole = [
                entry if isinstance(entry, list) else [entry] * len(team)
                for entry, team in zip(entries, teams, strict=True)
            ]
            flat = ["" if name is None else name for entry in whole for name in entry]
            fits = all(len(entry) == len(team) for entry, team in zip(whole, teams, strict=True))
            if fits and all(isinstance(name, str) for name in flat):
                return flat
        expected = gettext_noop(
            "characters %(value)s must have one entry per team: a name, or one per player"
        )
        raise FileError(self._line, expected, value=shorten(found))

    def _left(self, found: Any, players: list[str]) -> set[str]:
        given = [] if found is None else found
        if isinstance(given, list):
            names = {unicodedata.normalize("NFC", str(name).strip()) for name in given}
            if names <= set(players):
                return names
        expected = gettext_noop("left %(value)s must be a list of players of the match")
        raise FileError(self._line, expected, value=shorten(found))

    def _map(self, found: Any) -> str:
        name = "" if found is None else found
        if isinstance(name, str) and len(name) <= _LONGEST_MAP and name.isprintable():
            return name
        expected = gettext_noop("map %(value)s must be a name of at most 100 visible characters")
        raise FileError(self._line, expected, value=shorten(found))

    def _neutral(self, found: Any) -> bool:
        if isinstance(found, bool):
            return found
        expected = gettext_noop("neutral %(value)s must be true or false")
        raise FileError(self._line, expected, value=shorten(found))

    def _extra(self, others: dict[str, Any]) -> str:
        """The other members as JSON that PostgreSQL can hold."""
        try:
            text = json.dumps(others, ensure_ascii=False, allow_nan=False)
            text.encode()
        except (ValueError, RecursionError):
            text = "\\u0000"
        if "\\u0000" in text:
            expected = gettext_noop("must be plain JSON: finite numbers, and no NUL characters")
            raise FileError(self._line, expected)
        return text
