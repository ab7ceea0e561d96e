"""One JSON object a line: {"at", "killer", "victim", "weapon", "event"} and what more a game tells.

killer, victim  names; null or left out: nobody did it (a fall), or it was done to nobody (a capture)
event           "frag" when left out; "leave": the killer leaves his team, and nothing is rated
at              a moment in ISO 8601 (UTC unless it says otherwise), or seconds; only decay needs it
killer_team, killer_clan, killer_role, victim_team, victim_clan, victim_role  names, may be left out

All other fields, such as "weapon", are not looked at. The order of the lines is that of the events.
"""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _

from ratings.systems.frags import Frag, Side

__all__ = ["FragLogError", "Line", "read_log"]

LEAVE = "leave"


class FragLogError(ValueError):
    """A line cannot be read; the text names it and says what would be right."""

    def __init__(self, number: int, problem: str) -> None:
        super().__init__(_("line %(number)d: %(problem)s") % {"number": number, "problem": problem})


@dataclass(frozen=True, slots=True)
class Line:
    """What a line tells: an event, or that somebody left. `at` is in seconds since 1970, or None."""

    number: int
    at: float | None
    frag: Frag | None
    left: Side | None = None


def read_log(lines: Iterable[str]) -> Iterator[Line]:
    """Read a log line by line, empty ones left out. Raises FragLogError."""
    for number, text in enumerate(lines, start=1):
        if text.strip():
            try:
                yield _read(number, _object(text))
            except ValueError as error:
                raise FragLogError(number, str(error)) from error


def _object(text: str) -> dict[str, Any]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(_("must be a JSON object, such as %s") % _EXAMPLE) from error
    if not isinstance(told, dict):
        raise ValueError(_("must be a JSON object, such as %s") % _EXAMPLE)
    return told


_EXAMPLE = '{"killer": "Ann", "victim": "Ben"}'


def _read(number: int, told: dict[str, Any]) -> Line:
    killer, victim = _side(told, "killer"), _side(told, "victim")
    event, at = _name(told, "event") or "frag", _moment(told.get("at"))
    if event == LEAVE:
        if killer is None:
            raise ValueError(_("killer is missing: must name who leaves"))
        return Line(number, at, None, killer)
    if killer is None and victim is None:
        raise ValueError(_("killer and victim are missing: must have one of them"))
    return Line(number, at, Frag(killer, victim, event))


def _side(told: dict[str, Any], part: str) -> Side | None:
    name = _name(told, part)
    if name is None:
        return None
    return Side(name, *(_name(told, f"{part}_{what}") for what in ("team", "clan", "role")))


def _name(told: dict[str, Any], field: str) -> str | None:
    value = told.get(field)
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        words = {"field": field, "value": json.dumps(value)}
        raise ValueError(_("%(field)s is %(value)s: must be a name, or left out") % words)
    return value.strip()


def _moment(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf:
        return float(value)
    try:
        moment = datetime.fromisoformat(value if isinstance(value, str) else "")
    except ValueError as error:
        text = _("at is %s: must be a moment such as 2026-11-21T09:30:00Z, or seconds")
        raise ValueError(text % json.dumps(value)) from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
