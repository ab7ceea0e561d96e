"""Match files of JSON lines: one object a match, of any number of teams of any size."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from foundation.refusals import RefusedError
from ratings.evaluation.reading.cells import FileError, normalize_name, shorten
from ratings.evaluation.reading.json_lines import ContestLine, read_line
from ratings.importing.fields import identity_of
from ratings.importing.file_lines import Lines
from ratings.importing.problems import Problems
from ratings.importing.reader import Form, Reader, Staged, participants_of
from ratings.matches.player_stats import check_characters
from ratings.models import MatchShape

__all__ = ["Objects"]

_LONGEST_MAP = 100


class Objects(Reader):
    """Reads JSON lines, in the form that `evaluation` reads too; with map, characters, neutral and left.

    `shape` is that of the ladder, where it is there already; else the first match has it.
    """

    form: ClassVar[Form] = Form("ranks", "scores", "minutes")

    def __init__(
        self, lines: Lines, problems: Problems, *, now: datetime, shape: MatchShape | None
    ) -> None:
        super().__init__(lines, problems, now=now)
        self._shape = shape

    @property
    def shape(self) -> MatchShape:
        return self._shape or MatchShape.exactly(2, 1)

    def say_result(self, ranks: list[int]) -> str:
        return json.dumps(ranks)

    def staged(self) -> Iterator[Staged]:
        for text in self._lines:
            self._line = self._lines.number
            if not text.strip():
                continue
            # What is wrong with a match first is noted.
            try:
                match = self._match(read_line(text, self._line))
            except FileError as error:
                template = _(error.template)
                self._add("", "", template % error.words if error.words else template)
            except RefusedError as error:
                self._add("", "", str(error.detail))
            else:
                if match is not None:
                    self._count(match.played_at)
                    yield match

    def _match(self, contest: ContestLine) -> Staged | None:
        """The match as it is staged; None where a fault of its date or names is noted. Raises FileError."""
        sizes = [len(team) for team in contest.teams]
        shape = self._shape or MatchShape.exactly(len(sizes), sizes[0])
        if not shape.fits(sizes):
            expected = gettext_noop("must be %(shape)s, as in all matches of a ladder")
            raise FileError(self._line, expected, shape=str(shape))
        self._shape = shape
        if not isinstance(contest.date, str):
            raise FileError(self._line, gettext_noop("date must be text"))
        played_at = self._moment(contest.date.strip())
        others = dict(contest.others)
        map_name, neutral = others.pop("map", None), others.pop("neutral", False)
        map_name = "" if map_name is None else map_name
        is_name = isinstance(map_name, str) and len(map_name) <= _LONGEST_MAP
        if not is_name or not map_name.isprintable():
            expected = gettext_noop(
                "map %(value)s must be a name of at most 100 visible characters"
            )
            raise FileError(self._line, expected, value=shorten(map_name))
        if not isinstance(neutral, bool):
            expected = gettext_noop("neutral %(value)s must be true or false")
            raise FileError(self._line, expected, value=shorten(neutral))
        participants = self._participants(
            contest, others.pop("characters", None), others.pop("left", None)
        )
        if contest.figures["weights"] is not None:
            expected = gettext_noop("weights are not kept: give minutes, from which they follow")
            raise FileError(self._line, expected)
        extra = self._extra(others)
        if played_at is None or participants is None:
            return None
        members = [name for team in contest.teams for name in sorted(team)]
        identity = identity_of(played_at, *members)
        return Staged(
            self._line, played_at, identity, extra, neutral, map_name, participants_of(participants)
        )

    def _participants(
        self, contest: ContestLine, characters: Any, left: Any
    ) -> list[dict[str, Any]] | None:
        """Who takes part; None where a name has a fault."""
        players = [player for team in contest.teams for player in team]
        names = [self._name("teams", player) for player in players]
        # Characters have one entry a team, which is a list, or a name for all of it; nothing is no character.
        entries = [None] * len(contest.teams) if characters is None else characters
        chosen: list[str] | None = None
        if isinstance(entries, list) and len(entries) == len(contest.teams):
            pairs = list(zip(entries, contest.teams, strict=True))
            whole = [entry if isinstance(entry, list) else [entry] * len(of) for entry, of in pairs]
            flat = ["" if name is None else name for entry in whole for name in entry]
            fits = [len(entry) for entry in whole] == [len(of) for of in contest.teams]
            if fits and all(isinstance(name, str) for name in flat):
                chosen = flat
        if chosen is None:
            expected = gettext_noop(
                "characters %(value)s must have one entry per team: a name, or one per player"
            )
            raise FileError(self._line, expected, value=shorten(characters))
        check_characters(dict(zip(players, chosen, strict=True)), players)
        given = [] if left is None else left
        gone = {normalize_name(str(name)) for name in given} if isinstance(given, list) else None
        if gone is None or not gone <= set(players):
            expected = gettext_noop("left %(value)s must be a list of players of the match")
            raise FileError(self._line, expected, value=shorten(left))
        if None in names:
            return None
        teams = [number for number, team in enumerate(contest.teams) for _player in team]
        distinct, unknown = sorted(set(contest.ranks)), [None] * len(players)
        columns = {
            "team": teams,
            "rank": [distinct.index(contest.ranks[team]) for team in teams],
            "player": players,
            "score": contest.figures["scores"] or unknown,
            "minutes": contest.figures["minutes"] or unknown,
            "character": [name or None for name in chosen],
            "left_early": [player in gone or None for player in players],
        }
        rows = zip(*columns.values(), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]

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
