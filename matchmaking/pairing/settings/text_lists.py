"""Lists that an operator writes as text: bucket levels, roles, maps. One entry a line, or after a semicolon."""

import re
from dataclasses import dataclass
from itertools import pairwise

from matchmaking.pairing.conditions import BUILT_IN
from matchmaking.pairing.section import entries_of
from ratings.systems.parameters import ParameterError, gettext_noop

__all__ = ["TRAITS", "GameMap", "Level", "read_levels", "read_maps", "read_numbers", "read_roles"]

# The trait in bits that says what a ticket names, by criterion of buckets; no bit: nothing in particular.
TRAITS = {
    kind.section.name: kind.bucket_trait for kind in BUILT_IN if kind.section and kind.bucket_trait
}
CRITERIA = tuple(sorted((*TRAITS, "skill")))
_ANYONE = "anyone"
_LONGEST, _MOST_LEVELS, _MOST_ROLES, _MOST_MAPS = 3600.0, 10, 20, 62
_MOST_POINTS = 9999


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
    levels = []
    for entry in entries_of(text):
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
        levels.append(Level(by, lasts))
    if not 1 <= len(levels) <= _MOST_LEVELS:
        raise ParameterError(
            parameter, text, gettext_noop("must have from 1 to %(most)s levels"), most=_MOST_LEVELS
        )
    return tuple(levels)


def read_roles(parameter: str, text: str) -> dict[str, int]:
    """Read `tank 1; healer 1; damage 3`: how many of each role a team needs. Raises ParameterError."""
    roles: dict[str, int] = {}
    for entry in entries_of(text):
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
    for entry in entries_of(text):
        found = re.fullmatch(r"(.{1,80}?)(?:\s+([+-]\d{1,4}(?:\.\d+)?))?", entry)
        if found is not None and found[2] is None and re.search(r"\s[+-]\d[\d.,]*$", entry):
            expected = gettext_noop(
                "must be a name and, where you like, points from -%(most)s to +%(most)s, such as River +15"
            )
            raise ParameterError(parameter, entry, expected, most=_MOST_POINTS)
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


def read_numbers(parameter: str, text: str) -> tuple[float, ...]:
    """Read `1200, 1500, 1800`: numbers that rise. Raises ParameterError."""
    try:
        numbers = tuple(float(word) for word in re.split(r"[\s,;]+", text) if word)
    except ValueError:
        numbers = (0.0, 0.0)
    if any(not low < high for low, high in pairwise(numbers)):
        raise ParameterError(parameter, text, gettext_noop("must be numbers that rise"))
    return numbers
