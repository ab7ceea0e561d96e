"""Quiet hours: when they are, in the time zone of the player."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

__all__ = ["quiet_until"]


def quiet_until(begins: time, ends: time, zone: str, now: datetime) -> datetime | None:
    """When the quiet hours end in which this moment is; None outside of them.

    Where clocks are put forward over the end, they end as soon as the clock shows more. A zone that this machine does
    not know counts as UTC: nobody is told nothing for its sake.
    """
    try:
        place = ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):
        place = ZoneInfo("UTC")
    local = now.astimezone(place)
    shown = local.time()
    is_quiet = begins <= shown < ends if begins < ends else shown >= begins or shown < ends
    if not is_quiet:
        return None
    day = local.date() if shown < ends else local.date() + timedelta(days=1)
    return datetime.combine(day, ends, place).astimezone(now.tzinfo)
