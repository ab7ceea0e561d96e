"""A frag log played through the shooter ladder."""

import math
from collections.abc import Iterable

from django.utils.translation import gettext as _

from ratings.importing.frag_log_lines import FragLogError, Line
from ratings.systems.frags import Deathmatch

__all__ = ["play_log"]


def play_log(stream: Deathmatch, lines: Iterable[Line], *, every: float | None = None) -> int:
    """Rate each line as it comes, and return how many events there were.

    every  seconds after which each time decay takes its points, counted from the first line; None:
           never

    Raises FragLogError for an event without weight, and for a line without `at` where there is decay.
    """
    events, clock = 0, _Intervals(every) if every is not None else None
    for line in lines:
        if clock is not None and (periods := clock.count(line)):
            stream.decay(periods)
        if line.left is not None:
            stream.leave(line.left)
        if line.frag is not None:
            try:
                stream.take(line.frag)
            except ValueError as error:
                raise FragLogError(line.number, str(error)) from error
            events += 1
    return events


class _Intervals:
    """Counts the intervals that end as time passes; a line dated before another ends none."""

    def __init__(self, every: float) -> None:
        self._every = every
        self._start: float | None = None
        self._ended = 0

    def count(self, line: Line) -> int:
        if line.at is None:
            raise FragLogError(line.number, _("at is missing: decay needs the moment of each line"))
        if self._start is None:
            self._start = line.at
        ended = math.floor((line.at - self._start) / self._every)
        new = max(ended - self._ended, 0)
        self._ended += new
        return new
