"""Which part of the history is looked at: a game or one of its queues, and a time, as far as one can go through it."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection

__all__ = ["ABSENT", "AMONG", "LONGEST", "Period", "as_far_as_possible"]

# Who has not played for so long before a period is lost to it, or comes back in it.
ABSENT = timedelta(days=28)
LONGEST = timedelta(days=366)
# Matches, and searches, that are gone through for one page, the newest.
AMONG = 50_000

# The newest so many of each kind: since when. NULL where there are fewer.
_SINCE = """
SELECT greatest(
    (SELECT played_at FROM ratings_match
     WHERE ladder_id = %(ladder)s AND played_at >= %(since)s AND played_at < %(until)s
     ORDER BY played_at DESC OFFSET %(among)s LIMIT 1),
    (SELECT ended_at FROM matchmaking_ticket
     WHERE queue_id = %(queue)s AND state = 'matched' AND ended_at >= %(since)s AND ended_at < %(until)s
     ORDER BY ended_at DESC OFFSET %(among)s LIMIT 1),
    (SELECT ended_at FROM matchmaking_ticket
     WHERE queue_id = %(queue)s AND state IN ('cancelled', 'expired') AND ended_at >= %(since)s AND ended_at < %(until)s
     ORDER BY ended_at DESC OFFSET %(among)s LIMIT 1)
)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """What is looked at.

    ladders   ids of the game's ladders
    queues    ids of its queues, or of the one that is asked for
    is_queue  whether only matches count that were made in the queue
    since, until  from the first moment on, before the second
    zone      by whose clocks hours and days are counted
    known_since  from when on matches before the period are looked at; None: for all the time that `ABSENT` says
    """

    ladders: tuple[int, ...]
    queues: tuple[int, ...]
    is_queue: bool
    since: datetime
    until: datetime
    zone: ZoneInfo
    known_since: datetime | None = None

    @property
    def before(self) -> "Period":
        """As long, and just before."""
        since = self.since - (self.until - self.since)
        return replace(self, since=since, until=self.since, known_since=None)

    @property
    def step(self) -> str:
        """Of the table of what came one after the other: "day" of a short period, else "week"."""
        return "day" if self.until - self.since <= timedelta(days=14) else "week"

    def given(self) -> dict[str, Any]:
        """For statements."""
        return {
            "ladders": list(self.ladders),
            "queues": list(self.queues),
            "is_queue": self.is_queue,
            "since": self.since,
            "until": self.until,
            "absent_since": self.known_since or self.since - ABSENT,
            "zone": self.zone.key,
            "step": self.step,
        }


def as_far_as_possible(period: Period) -> Period:
    """The newest part of a period that one can go through in a few seconds: all of it but for very busy games."""
    since = _since(period)
    absent = replace(period, since=since - ABSENT, until=since)
    known_since = _since(absent)
    return replace(
        period, since=since, known_since=None if known_since == absent.since else known_since
    )


def _since(period: Period) -> datetime:
    """Since when there are no more than so many of each kind."""
    among = max(1, AMONG // max(1, len(period.ladders), len(period.queues)))
    since = period.since
    with connection.cursor() as cursor:
        for number in range(max(len(period.ladders), len(period.queues))):
            given: dict[str, Any] = {
                "ladder": (period.ladders[number : number + 1] or (0,))[0],
                "queue": (period.queues[number : number + 1] or (0,))[0],
                "since": period.since,
                "until": period.until,
                "among": among,
            }
            cursor.execute(_SINCE, given)
            (found,) = cursor.fetchone()
            since = since if found is None else max(since, found)
    return since
