"""Quiet hours: when they are, in the time zone of the player."""

import json
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from foundation.zones import zone_named

__all__ = ["LONGEST", "QUIET_NOW", "clocks", "quiet_until", "zones"]

# Quiet hours end within a day; clocks that are put back meanwhile make it longer.
LONGEST = timedelta(days=1, hours=3)
# A condition on `notifications_quiethours AS quiet`, for statements about many: `clocks` is what `clocks()` gives. The
# database asks for no zone, which it may not know; one that is not known here counts as UTC.
_SHOWN = "coalesce(%(clocks)s::jsonb ->> quiet.zone, %(clocks)s::jsonb ->> 'UTC')::time"
QUIET_NOW = f"""
CASE WHEN quiet.begins < quiet.ends THEN {_SHOWN} >= quiet.begins AND {_SHOWN} < quiet.ends
     ELSE {_SHOWN} >= quiet.begins OR {_SHOWN} < quiet.ends END
"""


def quiet_until(begins: time, ends: time, zone: str, now: datetime) -> datetime | None:
    """When the quiet hours end in which this moment is; None outside of them.

    It is never this moment or one before: where clocks are put back over the end, the quiet hours come again with the
    hour that comes again. A zone that this machine does not know counts as UTC: nobody is told nothing for its sake.
    """
    place = zone_named(zone)
    local = now.astimezone(place)
    shown = local.time()
    is_quiet = begins <= shown < ends if begins < ends else shown >= begins or shown < ends
    if not is_quiet:
        return None
    day = local.date() if shown < ends else local.date() + timedelta(days=1)
    end = datetime.combine(day, ends, place)
    if end.timestamp() <= now.timestamp():
        end = end.replace(fold=1)
    return end.astimezone(now.tzinfo)


@cache
def zones() -> frozenset[str]:
    """Time zones by their names, such as Europe/Berlin."""
    return frozenset(_places())


def clocks(now: datetime) -> str:
    """What the clocks of all zones show at a moment, as JSON: for `QUIET_NOW`."""
    return json.dumps(
        {zone: f"{now.astimezone(place):%H:%M:%S}" for zone, place in _places().items()}
    )


@cache
def _places() -> Mapping[str, ZoneInfo]:
    """All zones by their names: they lie in hundreds of files, which are read once."""
    return {
        zone: ZoneInfo(zone)
        for zone in available_timezones()
        if not zone.startswith(("Etc/", "SystemV/")) and zone != "localtime"
    }
