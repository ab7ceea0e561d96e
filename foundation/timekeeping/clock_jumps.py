"""Comparing the database's clock with the last heartbeat and with the machine's own clock, which nobody sets.

Heartbeats that are missing for a while tell of outages: nothing could be written then, whatever callers tried.
"""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from uuid import uuid4

import structlog
from django.conf import settings
from django.db import connection, transaction

from foundation import clock
from foundation.postgresql.locks import Lock, hold, try_hold
from foundation.postgresql.prepared import prepared
from foundation.postgresql.transactions import after_commit
from foundation.timekeeping.models import ClockPause, Heartbeat
from foundation.wakeups import wake

__all__ = [
    "Look",
    "Outage",
    "closing_time",
    "is_steady",
    "look",
    "machine",
    "observed",
    "pause",
    "trust",
    "uptime",
]

log = structlog.get_logger(__name__)
TOLERANCE = 300.0  # seconds by which clocks may differ: one that is set right on a working machine moves by less
STEADY = 3600.0  # seconds of steady time after which a new time is believed
EVERY = 5.0  # seconds between two heartbeats
# Seconds without a heartbeat on any machine that make an outage. Workers look every 2 seconds, a busy one a bit later.
OUTAGE = 15.0
LOST = 120.0  # seconds without a look, after which another machine counts the steady time
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_LOOK = """
SELECT clock_timestamp(), now(), own.at, own.uptime, EXISTS (SELECT FROM foundation_clockpause),
       turned.turned_at, turned.turned_by, last.at, outage.outage_since, outage.outage_until
FROM (VALUES (%(machine)s::varchar)) AS this (machine)
LEFT JOIN foundation_heartbeat AS own ON own.machine = this.machine
LEFT JOIN LATERAL (
    SELECT turned_at, turned_by FROM foundation_heartbeat AS beat WHERE beat.turned_at <= now()
    ORDER BY beat.turned_at DESC LIMIT 1
) AS turned ON true
LEFT JOIN LATERAL (SELECT max(at) AS at FROM foundation_heartbeat) AS last ON true
LEFT JOIN LATERAL (
    SELECT outage_since, outage_until FROM foundation_heartbeat AS beat WHERE beat.outage_until <= clock_timestamp()
    ORDER BY beat.outage_until DESC LIMIT 1
) AS outage ON true
"""


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which nothing was written on any machine: the site was off, PostgreSQL silent or the disk full."""

    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Look:
    """What one statement sees: both clocks, the transaction's time, and what was written down.

    at, uptime            both clocks now
    now                   time of the transaction
    own_at, own_uptime    this machine's last heartbeat; None before the first
    is_paused             whether a pause is under way
    turned_at, turned_by  the last jump ahead that was believed, None where there was none
    last_at               the last heartbeat of any machine; None before the first
    noted_outage          the last that was noted, None where there was none
    """

    at: datetime
    uptime: float
    now: datetime
    own_at: datetime | None
    own_uptime: float
    is_paused: bool
    turned_at: datetime | None
    turned_by: float | None
    last_at: datetime | None
    noted_outage: Outage | None

    @property
    def is_steady(self) -> bool:
        """Whether nothing has jumped and nothing is to be written down, as nearly always."""
        if self.is_paused or self.own_at is None:
            return False
        gone = (self.at - self.own_at).total_seconds()
        return 0 <= gone < EVERY and abs(gone - (self.uptime - self.own_uptime)) <= TOLERANCE

    @property
    def outage(self) -> Outage | None:
        """The last outage. One that is just over may not be noted yet, where somebody else is at it."""
        own_uptime = None if self.own_at is None else self.own_uptime
        return _outage(self.last_at, own_uptime, self.at, self.uptime) or self.noted_outage


def look() -> Look:
    """Look at the clocks, and write nothing. Whatever has a deadline asks, many times a second: one statement."""
    with prepared() as cursor:
        cursor.execute(_LOOK, {"machine": machine()})
        at, now, own_at, own_uptime, *noted = cursor.fetchone()
    is_paused, turned_at, turned_by, last_at, outage_since, outage_until = noted
    return Look(
        *(at, uptime(), now, own_at, own_uptime or 0.0),
        *(is_paused, turned_at, turned_by, last_at),
        noted_outage=Outage(outage_since, outage_until) if outage_until else None,
    )


def closing_time() -> datetime:
    """Until when periods may be closed and players taken off leaderboards: now, unless the clock has jumped.

    Then it is the last moment before that, until the clock is back, or steady for an hour, or an operator trusts it.
    A time that was given (`clock.at`) is believed.
    """
    now = clock.now()
    if clock.replaced() is not None:
        return now
    found = None if look().is_steady else observed()
    return min(now, found.trusted_at) if found else now


def is_steady() -> bool:
    """Whether the clock can be trusted now. Looks first."""
    return clock.replaced() is not None or look().is_steady or observed() is None


def pause() -> ClockPause | None:
    """The pause that is under way, if there is one; only read."""
    return ClockPause.objects.first()


@transaction.atomic
def trust() -> ClockPause | None:
    """Believe the clock as it is, at an operator's word; returns the pause that this ended."""
    hold(Lock.CLOCK, 0)
    found = pause()
    _begin_anew(*_read(), believed=found)
    if found:
        log.warning("clock.trusted", off_by=found.off_by)
    return found


def _read() -> tuple[datetime, float]:
    """Both clocks at once. That of the transaction would stand still in a long one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now, uptime()


def observed() -> ClockPause | None:
    """Find out whether the clock has jumped, and note what was seen; somebody else may be noting it right now.

    Called where a look (`look`) has not found time steady. Returns the pause while the clock is not believed.
    """
    own, found = Heartbeat.objects.filter(pk=machine()).first(), pause()
    now, at = _read()
    if settings.FREE_SPACE.shortage():  # whoever wants something is refused: an outage
        return found or _jump(own, now, at)
    with transaction.atomic():
        if not try_hold(Lock.CLOCK, 0):
            return found or _jump(own, now, at)
        own, found = Heartbeat.objects.filter(pk=machine()).first(), pause()
        now, at = _read()
        if found is not None:
            return _count_steady_time(found, own, now, at)
        jump = _jump(own, now, at)
        if jump is None:
            _beat(own, now, at)
            return None
        log.error("clock.jumped", off_by=jump.off_by, since=jump.trusted_at.isoformat())
        jump.save(force_insert=True)
        return jump


def _beat(own: Heartbeat | None, now: datetime, at: float) -> None:
    """Write the heartbeat of this machine, and the outage that it ends, if it ends one."""
    noted: dict[str, datetime] = {}
    own_uptime = own.uptime if own else None
    if (
        own is None or max(at - own.uptime, (now - own.at).total_seconds()) > OUTAGE
    ):  # else it ends none
        last = Heartbeat.objects.order_by("-at").first()
        if outage := _outage(last.at if last else None, own_uptime, now, at):
            noted = {"outage_since": outage.since, "outage_until": outage.until}
            log.warning("outage.over", since=outage.since.isoformat(), until=now.isoformat())
    Heartbeat.objects.update_or_create(
        machine=machine(), defaults={"at": now, "uptime": at, **noted}
    )


def _outage(
    last_at: datetime | None, own_uptime: float | None, now: datetime, at: float
) -> Outage | None:
    """The outage from the last heartbeat of any machine until now, if it is one.

    A machine that was halted from outside, as while it moves to another host, knows nothing of it: the clock that
    nobody sets stood still, and the other is set right. So what is no jump counts as time gone by. A clock that jumps
    makes no outage: that has not lasted longer than this machine's own heartbeat is ago by the clock that nobody sets.
    """
    if last_at is None:
        return None
    gone = (now - last_at).total_seconds()
    if own_uptime is not None and gone - (at - own_uptime) > TOLERANCE:
        gone = at - own_uptime
    return Outage(last_at, now) if gone > OUTAGE else None


def _jump(own: Heartbeat | None, now: datetime, at: float) -> ClockPause | None:
    """The pause that should begin now; None while time is steady. Not saved."""
    last, off_by = own, _drift(own, now, at) if own else 0.0
    if own is None and (last := Heartbeat.objects.order_by("-at").first()) is not None:
        # Booted since, or another machine: how long it was off nobody knows, only what would be unheard of.
        gone = (now - last.at).total_seconds()
        off_by = 0.0 if -TOLERANCE <= gone <= settings.CLOCK_LONGEST_ABSENCE else gone
    if last is None or abs(off_by) <= TOLERANCE:
        return None
    return ClockPause(
        trusted_at=last.at, off_by=off_by, machine=machine(), at=now, uptime=at, seen_at=now
    )


def _count_steady_time(
    found: ClockPause, own: Heartbeat | None, now: datetime, at: float
) -> ClockPause | None:
    """Count the steady time of a pause; None when it is over."""
    if own is not None and abs(_drift(own, now, at)) <= TOLERANCE:
        _begin_anew(now, at, undone=found)
        after_commit(wake, "config.begin_anew")
        log.warning("clock.back", off_by=found.off_by)
        return None
    unseen = abs((now - found.seen_at).total_seconds())
    is_ours = found.machine == machine()
    if is_ours and abs(_drift(found, now, at)) <= TOLERANCE:
        if at - found.uptime >= STEADY:
            _begin_anew(now, at, believed=found)
            log.warning("clock.steady_again", off_by=found.off_by)
            return None
        if unseen < EVERY:
            return found
    elif is_ours or unseen > LOST:
        found.machine, found.at, found.uptime = machine(), now, at
        if own is not None:
            found.off_by = _drift(own, now, at)
        log.warning("clock.jumped_again", off_by=found.off_by, now=now.isoformat())
    else:
        return found
    found.seen_at = now
    found.save()
    return found


def _drift(before: Heartbeat | ClockPause, now: datetime, at: float) -> float:
    """Seconds by which the clock is ahead of what it should say on this machine."""
    return (now - before.at - timedelta(seconds=at - before.uptime)).total_seconds()


def _begin_anew(
    now: datetime,
    at: float,
    *,
    believed: ClockPause | None = None,
    undone: ClockPause | None = None,
) -> None:
    """End the pause: its time is believed, or it is undone. Keep what deadlines from before were set by."""
    last = Heartbeat.objects.filter(turned_at__lte=now).order_by("-turned_at").first()
    turn = (last.turned_at, last.turned_by) if last else (None, None)
    if believed is not None and believed.off_by > 0:
        turn = believed.turn, believed.off_by
    if undone is not None and undone.off_by < 0:  # what it began meanwhile has deadlines long past
        turn = undone.turn, -undone.off_by
    ClockPause.objects.all().delete()
    Heartbeat.objects.all().delete()
    Heartbeat.objects.create(
        machine=machine(), at=now, uptime=at, turned_at=turn[0], turned_by=turn[1]
    )


@cache
def machine() -> str:
    """The machine since its boot. Where it has no name, this process stands for itself."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return f"process-{uuid4()}"


def uptime() -> float:
    """Seconds since the machine booted, those included in which it slept."""
    kind = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(kind)
