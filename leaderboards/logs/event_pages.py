"""Every event of a match, page by page, the newest first; and where some are missing. One query a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import connection

from ratings.logs.told import KINDS, told
from ratings.models import EventKind, MatchLog

__all__ = ["SIZE", "EventLine", "EventPage", "Hole", "events_of"]

SIZE = 50
# The number after which a page begins is that of the next older event; 0 where there is none.
_EVENTS = f"""
WITH bound AS MATERIALIZED (
    SELECT coalesce((
        SELECT number FROM ratings_logevent WHERE log_id = %(log)s AND number < %(before)s
        ORDER BY number DESC OFFSET %(size)s LIMIT 1
    ), 0) AS after
), {
    told(
        "event.log_id = %(log)s AND event.number < %(before)s"
        " AND (event.number > (SELECT after FROM bound) OR event.kind IN (%(join)s, %(leave)s))"
    )
}
SELECT bound.after, told.number, told.act, told.at, told.player, told.victim, told.weight, told.counts, told.detail,
       told.guest, told.guest_victim
FROM bound LEFT JOIN told ON told.number > bound.after
ORDER BY told.number DESC
"""  # noqa: S608 - constants
_RATED = {
    EventKind.FRAG,
    EventKind.SUICIDE,
    EventKind.TEAM_KILL,
    EventKind.CAPTURE,
    EventKind.SCORE,
}


class EventLine(NamedTuple):
    """One event. `kind` is what it is taken as: a frag between two of one team is a team kill."""

    number: int
    kind: EventKind
    at: datetime
    player: int | None
    victim: int | None
    weight: float | None
    counts: bool
    detail: str
    guest: str
    guest_victim: str

    @property
    def is_left_out(self) -> bool:
        """Whether ratings pass it over for a guest. For whom else they do is told to nobody here: who is suspended."""
        return bool(self.guest or self.guest_victim) and self.kind in _RATED


@dataclass(frozen=True, slots=True)
class Hole:
    """Events that are not there, by their first and last number. `is_given_up`: they are not waited for any more."""

    first: int
    last: int
    is_given_up: bool

    @property
    def number(self) -> int:
        """How many there are."""
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events and holes, the newest first; `older`: the number below which the next page begins, None on the last."""

    lines: Sequence[EventLine | Hole]
    older: int | None

    @property
    def players(self) -> set[int]:
        """Ids of all who are named."""
        events = [line for line in self.lines if isinstance(line, EventLine)]
        return {who for it in events for who in (it.player, it.victim) if who is not None}


def events_of(log: MatchLog, before: int | None = None) -> EventPage:
    """The newest events of a log, or those with numbers below `before`."""
    top = log.highest + 1
    start = min(before or top, top)
    given = {**KINDS, "log": log.match_id, "before": start, "size": SIZE}
    with connection.cursor() as cursor:
        cursor.execute(_EVENTS, given)
        rows = cursor.fetchall()
    after: int = rows[0][0]
    lines: list[EventLine | Hole] = []
    # A hole between two pages stands on the newer of them.
    above: int | None = start if before is None else None
    for _after, number, kind, *rest in rows:
        if number is None:  # there is none
            continue
        if above is not None:
            lines += _hole(log, number + 1, above - 1)
        lines.append(EventLine(number, EventKind(kind), *rest))
        above = number
    if above is not None and lines:
        lines += _hole(log, after + 1, above - 1)
    return EventPage(lines, above if after else None)


def _hole(log: MatchLog, first: int, last: int) -> list[Hole]:
    return [Hole(first, last, is_given_up=last <= log.complete_to)] if first <= last else []
