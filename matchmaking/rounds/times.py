"""When rounds begin: the moments of a time of day in a zone, on some days of the week."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

__all__ = ["moments"]

_DAY = timedelta(days=1)


def moments(
    weekdays: int, at: time, zone: ZoneInfo, since: datetime, until: datetime
) -> Iterator[datetime]:
    """Every moment after `since` and up to `until` at which clocks of the zone show `at` on one of the days.

    weekdays  bits, Monday the lowest

    Once a day: of a time that comes twice when clocks are put back it is the first; one that is left out when they are
    put forward is as much later as they are.
    """
    day: date = since.astimezone(zone).date() - _DAY
    last = until.astimezone(zone).date()
    while day <= last:
        if weekdays >> day.weekday() & 1:
            moment = datetime.combine(day, at, tzinfo=zone).astimezone(UTC)
            if since < moment <= until:
                yield moment
        day += _DAY
