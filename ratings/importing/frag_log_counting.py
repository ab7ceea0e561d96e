"""Who fragged whom how often, from a frag log or from a CSV file of counts."""

import csv
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from django.utils.translation import gettext as _

from ratings.importing.frag_log_lines import FragLogError, Line
from ratings.systems.static_ranking import FragMatrix

__all__ = ["Counts", "count_frags", "read_counts"]

COLUMNS = ("killer", "victim", "frags")


@dataclass(slots=True)
class Counts:
    """Frags by (killer, victim), by name; `left_out` counts events that are no frags of opponents."""

    frags: Counter[tuple[str, str]] = field(default_factory=Counter)
    left_out: int = 0

    def matrix(self) -> tuple[list[str], FragMatrix]:
        """The names, in the order in which they came up first, and the frags by their places."""
        places: dict[str, int] = {}
        for pair in self.frags:
            for name in pair:
                places.setdefault(name, len(places))
        killer = np.array([places[one] for one, _other in self.frags], dtype=np.int64)
        victim = np.array([places[other] for _one, other in self.frags], dtype=np.int64)
        counts = np.array(list(self.frags.values()), dtype=np.int64)
        return list(places), FragMatrix.of(killer, victim, counts, players=len(places))


def count_frags(lines: Iterable[Line]) -> Counts:
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
            counts.frags[pair] += _whole(row["frags"] or "", reader.line_num)
    except csv.Error as error:
        raise FragLogError(reader.line_num, str(error)) from error
    return counts


def _whole(text: str, number: int) -> int:
    word = text.strip()
    if not (word.isascii() and word.isdigit() and len(word) <= 9):
        problem = _("frags is %s: must be a whole number below 1,000,000,000") % repr(text)
        raise FragLogError(number, problem)
    return int(word)
