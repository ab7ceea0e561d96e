"""At which half hour of the week one finds a match soonest, from the waits of the last four weeks."""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from datetime import time as time_of_day
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection

from foundation import clock
from matchmaking.pool.activity import ENDED
from matchmaking.pool.period import Period, as_far_as_possible

__all__ = ["LEAST", "SLOTS", "BestHours", "HalfHour", "best_hours"]

SLOTS = 7 * 48
# Of fewer searches in a half hour, or on fewer different days, nothing is said; nor where most came to nothing.
LEAST, LEAST_DAYS, LEAST_SHARE = 10, 2, 0.5
WEEKS = timedelta(days=28)
_UTC = ZoneInfo("UTC")
_KEPT = 600.0  # seconds: it changes slowly, and goes through many searches

# By when they began. Those found in vain count against a half hour; waits are of those that found a match.
_HALF_HOURS = f"""
SELECT (extract(isodow FROM local)::int - 1) * 48 + extract(hour FROM local)::int * 2
    + extract(minute FROM local)::int / 30,
    count(*), count(DISTINCT local::date), (count(*) FILTER (WHERE state = 'matched'))::float8 / count(*),
    percentile_cont(0.5) WITHIN GROUP (ORDER BY greatest(extract(epoch FROM ended_at - waiting_since), 0)::float8)
        FILTER (WHERE state = 'matched')
FROM ({ENDED}) AS ended GROUP BY 1
"""  # noqa: S608 - constants

_known: dict[int, tuple[float, list["_Slot"]]] = {}


@dataclass(frozen=True, slots=True)
class _Slot:
    """A half hour of the week in UTC, Monday at midnight being 0, of which enough is known."""

    number: int
    searches: int
    wait: float


@dataclass(frozen=True, slots=True)
class HalfHour:
    """A half hour of the week by the clocks of a zone.

    weekday   1 Monday .. 7 Sunday;   at  when it begins
    wait      seconds within which half of those who found a match then did
    searches  how many it is known from
    """

    weekday: int
    at: time_of_day
    wait: float
    searches: int


@dataclass(frozen=True, slots=True)
class BestHours:
    """The half hours with the shortest waits: of what is left of today, and of the whole week; None: not enough known.

    known: of how many half hours of the week something is known.
    """

    today: HalfHour | None
    week: HalfHour | None
    known: int


def best_hours(queue_id: int, zone: ZoneInfo, now: datetime) -> BestHours:
    """Say when searching is best, by the clocks of a zone. One query at most, in ten minutes.

    The zone's clocks are taken as they are now: of the weeks before they are put forward or back, half hours stand
    an hour away from where they were.
    """
    slots = _slots(queue_id, now)
    offset = now.astimezone(zone).utcoffset() or timedelta()
    shift = round(offset / timedelta(minutes=30))
    local = now.astimezone(zone)
    current = local.weekday() * 48 + local.hour * 2 + local.minute // 30
    here = [(_local(one, shift), one) for one in slots]
    today = [
        (number, one) for number, one in here if number // 48 == current // 48 and number >= current
    ]
    return BestHours(_best(today), _best(here), len(slots))


def _local(slot: _Slot, shift: int) -> int:
    return (slot.number + shift) % SLOTS


def _best(found: list[tuple[int, _Slot]]) -> HalfHour | None:
    """The shortest wait; of equal ones what is known better, then what comes first."""
    if not found:
        return None
    number, slot = min(found, key=lambda each: (each[1].wait, -each[1].searches, each[0]))
    at = time_of_day(number % 48 // 2, number % 2 * 30)
    return HalfHour(number // 48 + 1, at, slot.wait, slot.searches)


def _slots(queue_id: int, now: datetime) -> list[_Slot]:
    kept = settings.ESTIMATES_KEPT > 0 and clock.replaced() is None
    if kept and (known := _known.get(queue_id)) and time.monotonic() - known[0] < _KEPT:
        return known[1]
    period = Period(
        ladders=(), queues=(queue_id,), is_queue=True, since=now - WEEKS, until=now, zone=_UTC
    )
    with connection.cursor() as cursor:
        cursor.execute(_HALF_HOURS, as_far_as_possible(period).given())
        rows = cursor.fetchall()
    slots = [
        _Slot(number, searches, wait)
        for number, searches, days, share, wait in sorted(rows)
        if searches >= LEAST and days >= LEAST_DAYS and share >= LEAST_SHARE
    ]
    if kept:
        _known[queue_id] = time.monotonic(), slots
    return slots
