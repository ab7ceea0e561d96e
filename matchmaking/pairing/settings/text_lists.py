"""Lists that an operator writes as text: bucket levels, roles, maps, words. One entry a line, or after a semicolon."""

import re
from dataclasses import dataclass
from itertools import pairwise

from ratings.systems.parameters import ParameterError, gettext_noop

__all__ = [
    "CRITERIA",
    "LONGEST_WORD",
    "MOST_WORDS",
    "GameMap",
    "Level",
    "read_levels",
    "read_maps",
    "read_numbers",
    "read_roles",
    "read_words",
]

CRITERIA = ("language", "region", "skill", "style")
_ANYONE = "anyone"
# Of what players wish: letters of a word, and words of a list.
LONGEST_WORD, MOST_WORDS = 40, 20
_LONGEST, _MOST_LEVELS, _MOST_ROLES, _MOST_MAPS = 3600.0, 10, 20, 62


@dataclass(frozen=True, slots=True)
class Level:
    """One level of buckets: what its tickets have in common, and the seconds until the next one.

    by       criteria of `CRITERIA`; empty: anyone
    seconds  how long a ticket looks here before it enters the next level as well
    """

    by: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class GameMap:
    """A map, and rating points that the first team's side is worth on it; None: as estimated."""

    name: str
    advantage: float | None


def read_levels(parameter: str, text: str) -> tuple[Level, ...]:
    """Read `language, skill: 1; language: 10; anyone: 20`. Raises ParameterError."""
    levels = tuple(_read_level(parameter, entry) for entry in _entries(text))
    if not 1 <= len(levels) <= _MOST_LEVELS:
        raise ParameterError(
            parameter, text, gettext_noop("must have from 1 to %(most)s levels"), most=_MOST_LEVELS
        )
    return levels


def read_roles(parameter: str, text: str) -> dict[str, int]:
    """Read `tank 1; healer 1; damage 3`: how many of each role a team needs. Raises ParameterError."""
    roles: dict[str, int] = {}
    for entry in _entries(text):
        found = re.fullmatch(r"([\w-]{1,40})[ :]+([1-9]\d?)", entry)
        if found is None or found[1] in roles or len(roles) == _MOST_ROLES:
            expected = gettext_noop(
                "must be a word and a number, such as healer 1, each role once, at most %(most)s"
            )
            raise ParameterError(parameter, entry, expected, most=_MOST_ROLES)
        roles[found[1]] = int(found[2])
    return roles


def read_maps(parameter: str, text: str) -> tuple[GameMap, ...]:
    """Read `Canyon; River +15`: names, and points for the first team's side. Raises ParameterError."""
    maps: list[GameMap] = []
    for entry in _entries(text):
        found = re.fullmatch(r"(.{1,80}?)(?:\s+([+-]\d{1,4}(?:\.\d+)?))?", entry)
        if (
            found is None
            or any(found[1] == known.name for known in maps)
            or len(maps) == _MOST_MAPS
        ):
            expected = gettext_noop(
                "must be names of at most 80 letters, each once, at most %(most)s"
            )
            raise ParameterError(parameter, entry, expected, most=_MOST_MAPS)
        maps.append(GameMap(found[1], None if found[2] is None else float(found[2])))
    return tuple(maps)


def read_words(parameter: str, text: str) -> tuple[str, ...]:
    """Read `eu; us-east`: words that players choose from; none: any. Raises ParameterError."""
    words = _entries(text)
    for place, word in enumerate(words):
        is_word = len(word) <= LONGEST_WORD and word.isprintable() and word not in words[:place]
        if not is_word or place == MOST_WORDS:
            expected = gettext_noop(
                "must be words of at most %(longest)s letters, each once, %(most)s at most"
            )
            raise ParameterError(parameter, word, expected, longest=LONGEST_WORD, most=MOST_WORDS)
    return tuple(words)


def read_numbers(parameter: str, text: str) -> tuple[float, ...]:
    """Read `1200, 1500, 1800`: numbers that rise. Raises ParameterError."""
    try:
        numbers = tuple(float(word) for word in re.split(r"[\s,;]+", text) if word)
    except ValueError:
        numbers = (0.0, 0.0)
    if any(not low < high for low, high in pairwise(numbers)):
        raise ParameterError(parameter, text, gettext_noop("must be numbers that rise"))
    return numbers


def _entries(text: str) -> list[str]:
    return [entry.strip() for entry in re.split(r"[;\n]", text) if entry.strip()]


def _read_level(parameter: str, entry: str) -> Level:
    criteria, _colon, seconds = entry.partition(":")
    by = tuple(word for word in re.split(r"[\s,+]+", criteria.strip()) if word)
    if by == (_ANYONE,):
        by = ()
    try:
        lasts = float(seconds) if seconds.strip() else _LONGEST
    except ValueError:
        lasts = -1.0
    known = len(set(by)) == len(by) and set(by) <= set(CRITERIA)
    if not known or not criteria.strip() or not 0 <= lasts <= _LONGEST:
        expected = gettext_noop(
            "must look like “language, skill: 1”: %(criteria)s, or anyone; then "
            "seconds from 0 to %(most)s"
        )
        raise ParameterError(
            parameter, entry, expected, criteria=", ".join(CRITERIA), most=_LONGEST
        )
    return Level(by, lasts)
