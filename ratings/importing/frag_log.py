"""Frag logs: what happened in games of a shooter, line by line; counted, and played through the shooter ladder.

One JSON object a line: {"at", "killer", "victim", "weapon", "event"} and what more a game tells.

killer, victim  names; null or left out: nobody did it (a fall), or it was done to nobody (a capture)
event           "frag" when left out; "leave": the killer leaves the own team, and nothing is rated
at              a moment in ISO 8601 (UTC unless it says otherwise), or seconds; only decay needs it
killer_team, killer_clan, killer_role, victim_team, victim_clan, victim_role  names, may be left out

All other fields, such as "weapon", are not looked at. The order of the lines is that of the events.
"""

import csv
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from ratings.evaluation.reading.cells import parse_moment
from ratings.systems.frags import Deathmatch, Frag, Side
from ratings.systems.static_ranking import FragMatrix

__all__ = ["Counts", "FragLogError", "count_frags", "play_log", "read_counts", "read_log"]

LEAVE = "leave"
_EXAMPLE = '{"killer": "Ann", "victim": "Ben"}'
COLUMNS = ("killer", "victim", "frags")


class FragLogError(ValueError):
    """A line cannot be read; the text names it and says what would be right."""

    def __init__(self, number: int, problem: str) -> None:
        super().__init__(_("line %(number)d: %(problem)s") % {"number": number, "problem": problem})


@dataclass(frozen=True, slots=True)
class LogLine:
    """What a line of the log says: an event, or that somebody left. `at` is in seconds since 1970, or None."""

    number: int
    at: float | None
    frag: Frag | None
    left: Side | None = None


def read_log(lines: Iterable[str]) -> Iterator[LogLine]:
    """Read a log line by line, empty ones left out. Raises FragLogError."""
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            try:
                fields = json.loads(text)
            except (ValueError, RecursionError):
                fields = None
            if not isinstance(fields, dict):
                raise ValueError(_("must be a JSON object, such as %s") % _EXAMPLE)
            killer, victim = _side(fields, "killer"), _side(fields, "victim")
            event, at = _name(fields, "event") or "frag", _moment(fields.get("at"))
            if event == LEAVE and killer is None:
                raise ValueError(_("killer is missing: must name who leaves"))
            if killer is None and victim is None:
                raise ValueError(_("killer and victim are missing: must have one of them"))
            is_leave = event == LEAVE
            frag = None if is_leave else Frag(killer, victim, event)
        except ValueError as error:
            raise FragLogError(number, str(error)) from error
        yield LogLine(number, at, frag, killer if is_leave else None)


def _side(fields: dict[str, Any], part: str) -> Side | None:
    name = _name(fields, part)
    if name is None:
        return None
    return Side(name, *(_name(fields, f"{part}_{what}") for what in ("team", "clan", "role")))


def _name(fields: dict[str, Any], field: str) -> str | None:
    value = fields.get(field)
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
        return parse_moment(value if isinstance(value, str) else "").timestamp()
    except ValueError as error:
        text = _("at is %s: must be a moment such as 2026-11-21T09:30:00Z, or seconds")
        raise ValueError(text % json.dumps(value)) from error


@dataclass(slots=True)
class Counts:
    """Frags by (killer, victim), by name; `left_out` counts events that are no frags of opponents."""

    frags: Counter[tuple[str, str]] = field(default_factory=Counter)
    left_out: int = 0

    def matrix(self) -> tuple[list[str], FragMatrix]:
        """The names, in the order in which they came up first, and the frags by their numbers."""
        numbers: dict[str, int] = {}
        for pair in self.frags:
            for name in pair:
                numbers.setdefault(name, len(numbers))
        killer = np.array([numbers[one] for one, _other in self.frags], dtype=np.int64)
        victim = np.array([numbers[other] for _one, other in self.frags], dtype=np.int64)
        counts = np.array(list(self.frags.values()), dtype=np.int64)
        return list(numbers), FragMatrix.of(killer, victim, counts, players=len(numbers))


def count_frags(lines: Iterable[LogLine]) -> Counts:
    """Count the frags and suicides of a log; team kills, captures and the like are left out."""
    counts = Counts()
    for line in lines:
        frag = line.frag
        if frag is None:
            continue
        if frag.event != "frag" or frag.victim is None or frag.is_team_kill:
            counts.left_out += 1
            continue
        killer = frag.victim if frag.killer is None else frag.killer
        counts.frags[killer.name, frag.victim.name] += 1
    return counts


def read_counts(lines: Iterable[str]) -> Counts:
    """Read CSV with the columns killer, victim and frags, in any order. Raises FragLogError."""
    reader, counts = csv.DictReader(lines), Counts()
    try:
        missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
        if missing:
            text = _("the first line must name the columns killer, victim and frags; missing: %s")
            raise FragLogError(1, text % ", ".join(missing))
        for row in reader:
            killer, victim = (row[name] or "" for name in COLUMNS[:2])
            pair = killer.strip(), victim.strip()
            if not all(pair):
                raise FragLogError(reader.line_num, _("must name a killer and a victim"))
            text = row["frags"] or ""
            number = text.strip()
            if not (number.isascii() and number.isdigit() and len(number) <= 9):
                problem = _("frags is %s: must be a whole number below 1,000,000,000") % repr(text)
                raise FragLogError(reader.line_num, problem)
            counts.frags[pair] += int(number)
    except csv.Error as error:
        raise FragLogError(reader.line_num, str(error)) from error
    return counts


def play_log(stream: Deathmatch, lines: Iterable[LogLine], *, every: float | None = None) -> int:
    """Rate each line as it comes, and return how many events there were.

    every  seconds after which each time decay takes its points, counted from the first line; None:
           never

    Raises FragLogError for an event without weight, and for a line without `at` where there is decay.
    """
    events, ended = 0, 0
    start: float | None = None
    for line in lines:
        if every is not None:
            if line.at is None:
                text = _("at is missing: decay needs the moment of each line")
                raise FragLogError(line.number, text)
            start = line.at if start is None else start
            # A line dated before another ends no interval.
            by_now = math.floor((line.at - start) / every)
            if by_now > ended:
                stream.decay(by_now - ended)
                ended = by_now
        if line.left is not None:
            stream.leave(line.left)
        if line.frag is not None:
            try:
                stream.take(line.frag)
            except ValueError as error:
                raise FragLogError(line.number, str(error)) from error
            events += 1
    return events
