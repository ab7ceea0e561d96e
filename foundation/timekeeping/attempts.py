"""Trying again what has failed: later each time, and never as late as a clock that ran ahead would have it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

__all__ = ["Attempts"]

_SLACK = timedelta(minutes=1)  # transactions that began at different moments


@dataclass(frozen=True, slots=True)
class Attempts:
    """How what waits to be done is tried: a first time when it is due, and again after pauses.

    first_pause    after the first attempt that has failed; each further one is twice as long
    longest_pause  no pause is longer
    farthest       how far ahead it may be due for other reasons, such as quiet hours
    """

    first_pause: timedelta
    longest_pause: timedelta
    farthest: timedelta = timedelta()

    def pause_after(self, attempts: int) -> timedelta:
        """How long it waits after so many attempts."""
        pause = self.first_pause
        for _ in range(attempts - 1):
            if pause >= self.longest_pause:
                break
            pause *= 2
        return min(pause, self.longest_pause)

    def is_due(self, column: str, now: datetime) -> Q:
        """Condition on the column that says when it is due: it is, or only a clock that ran ahead says no."""
        unheard_of = now + max(self.longest_pause, self.farthest) + _SLACK
        return Q(**{f"{column}__lte": now}) | Q(**{f"{column}__gt": unheard_of})
