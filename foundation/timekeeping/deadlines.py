"""What is over by its deadline, though the clock may have jumped since the deadline was set, or the site been away."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from foundation import clock
from foundation.timekeeping import clock_jumps
from foundation.timekeeping.clock_jumps import Outage

__all__ = ["AHEAD", "Deadlines", "deadlines"]

# Transactions that began earlier may look later: only what is farther ahead was begun by a clock that ran ahead.
AHEAD = timedelta(minutes=1)
# So much time has whoever could not be heard in an outage, from its end.
_TO_COME_BACK = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Deadlines:
    """What time it is for what began when.

    now        the clock
    turn       what began at this moment or before was begun by a clock that was `by` behind this one; None: nothing
    by         is negative where the clock went back: then what began later than now was begun by a clock ahead of it
    is_steady  whether the clock is believed
    outage     the last time in which nobody could be heard, whatever they tried; None: nothing is known of one
    """

    now: datetime
    turn: datetime | None = None
    by: timedelta = timedelta()
    is_steady: bool = True
    outage: Outage | None = None

    @property
    def then(self) -> datetime:
        """What the clock from before its jump would say now."""
        return self.now - self.by

    def are_over(self, *, began: str, ends: str, after: timedelta = timedelta()) -> Q:
        """A condition on two columns: when something began, and when, or after which it is over in so much time."""
        over, over_then = (Q(**{f"{ends}__lte": it - after}) for it in (self.now, self.then))
        if self.by < timedelta():
            return over | Q(over_then, **{f"{began}__gt": self.now})
        if self.turn is None:
            return over
        return over & (Q(**{f"{began}__gt": self.turn}) | over_then)

    def is_over(self, *, began: datetime, ends: datetime) -> bool:
        """The same of one thing."""
        if self.by < timedelta() and began > self.now:
            return ends <= self.then
        if self.turn is not None and began <= self.turn:
            return ends <= min(self.now, self.then)
        return ends <= self.now

    def end_by_now(self, *, began: datetime, ends: datetime) -> datetime:
        """When something ends, by the clock as it is now: what began before it jumped has the time it had left."""
        if self.by < timedelta():
            return ends + self.by if began > self.now else ends
        return ends + self.by if self.turn is not None and began <= self.turn else ends

    def have_been_silent(self, *, since: str, after: timedelta) -> Q:
        """A condition on when somebody was heard from last: not for so long, and they could have been."""
        if self.outage is not None and self.now < self.outage.until + after:
            return Q(pk__in=[])
        return self.are_over(began=since, ends=since, after=after)

    def was_out(self, *, began: datetime, ended: datetime) -> bool:
        """Whether part of this time was one in which nobody could be heard."""
        return self.outage is not None and began < self.outage.until and self.outage.since < ended

    def was_jumped_over(self, *, began: datetime, ended: datetime) -> bool:
        """Whether the clock jumped over part of this time: nobody has lived through that, nor could come then."""
        if self.turn is None or self.by <= timedelta():
            return False
        half = self.by / 2
        return began < self.turn + half and self.turn - half < ended

    def not_in_outage(self, ends: str) -> Q:
        """A condition on when something ends: not in an outage, or right after, until a minute after it has gone by."""
        if self.outage is None or self.now >= self.outage.until + _TO_COME_BACK:
            return Q()
        return Q(**{f"{ends}__lte": self.outage.since})

    def fair_end(self, *, began: datetime, ends: datetime) -> datetime:
        """When something ends; what would have ended in an outage, or right after, a minute from its end on."""
        if self.outage is None or not self.was_out(began=began, ended=ends):
            return ends
        return max(ends, self.outage.until + _TO_COME_BACK)

    @property
    def latest_start(self) -> datetime | None:
        """What began later was begun by a clock that ran ahead, and has to begin anew: its deadline would never come.

        None while the clock is not believed: who knows then which of them is wrong.
        """
        return self.now + AHEAD if self.is_steady else None


def deadlines() -> Deadlines:
    """Look at the clock. One that jumped ahead ends nothing that was begun before, for as long as it had left.

    That holds on when the new time has come to be believed. A time that was given (`clock.at`) is believed.
    """
    if clock.replaced() is not None:
        return Deadlines(clock.now())
    seen = clock_jumps.look()
    found = None if seen.is_steady else clock_jumps.observed()
    if found is not None:
        by = timedelta(seconds=found.off_by)
        return Deadlines(clock.now(), found.turn, by, is_steady=False)
    if not seen.is_steady:
        seen = clock_jumps.look()  # a pause may have ended: its time is believed since
    # One that is to come is of a clock that was set back since, and not looked at.
    if seen.turned_at is None or seen.turned_by is None:
        return Deadlines(seen.now, outage=seen.outage)
    by = timedelta(seconds=seen.turned_by)
    return Deadlines(seen.now, seen.turned_at, by, outage=seen.outage)
