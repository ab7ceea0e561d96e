"""What the bar says, where it asks for news, and how often."""

from urllib.parse import urlencode

from django.urls import reverse

from foundation.page_parts import version_of
from matchmaking.pages.ongoing import Ongoing
from matchmaking.pages.place import Place

__all__ = ["bar_of"]

_IDLE, _MOVING = 60, 4  # seconds between two looks while no stream is open
_RARELY = 120  # and while one is


def bar_of(found: Ongoing, place: Place) -> dict[str, object]:
    """What the bar's template shows. `version` tells it from the bar that stands there already."""
    searches, ends, matches = place.searches(found), place.ends(found), place.matches(found)
    version = version_of(
        [(one.ticket, one.offer, one.is_accepted) for one in searches],
        [(one.id, one.stage, one.due_at) for one in matches],
        [one.ticket for one in ends],
    )
    query = "&".join(filter(None, [place.query, urlencode({"seen": version})]))
    beats = [int(one.heartbeat.total_seconds()) // 3 for one in found.searches]
    return {
        "now": found.now,
        "searches": searches,
        "ends": ends,
        "matches": matches,
        "has_players": bool(found.players),
        "is_live": bool(found.searches),
        "version": version,
        "address": f"{reverse('ongoing')}?{query}",
        "every": _MOVING if found.has_matters else _IDLE,
        "rarely": max(2, min([10, *beats])) if beats else _RARELY,
    }
