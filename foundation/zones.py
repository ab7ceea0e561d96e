"""Time zones as people choose them: by the names of places."""

from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

__all__ = ["zone_choices", "zone_named"]


def zone_named(name: str) -> ZoneInfo:
    """The time zone of this name; UTC for none, and for one that this machine does not know (any more)."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def zone_choices(also: str = "UTC") -> list[tuple[str, str]]:
    """Names and words for a field, UTC first. `also`: one that was chosen by another name, and stays choosable."""
    places = _places()
    return [
        ("UTC", "UTC"),
        *([(also, also)] if also not in {"UTC", *dict(places)} else []),
        *places,
    ]


@cache
def _places() -> list[tuple[str, str]]:
    names = sorted(name for name in available_timezones() if "/" in name and name[0].isupper())
    usual = [name for name in names if not name.startswith(("Etc/", "SystemV/", "US/"))]
    return [(name, name.replace("_", " ")) for name in usual]
