"""Examples of when to play, and of rounds at set times."""

from api.schema.examples.example import Example
from api.schema.examples.parties import by

__all__ = ["EXAMPLES"]

_ROUND = {
    "id": 9,
    "queue": "squads",
    "starts_at": "2026-03-01T19:00:00Z",
    "joined": 14,
    "is_joined": True,
    "is_there": False,
}
_HALF_HOUR = {"weekday": 1, "at": "19:30", "wait": 118.4, "searches": 64}
_HOURS = {
    "zone": "Europe/Berlin",
    "waiting": 12,
    "near": None,
    "today": {**_HALF_HOUR, "weekday": 7, "at": "20:00", "wait": 140.0},
    "week": _HALF_HOUR,
    "known": 31,
}
_ENTRY = {"round": 9, "player": 17, "starts_at": "2026-03-01T19:00:00Z", "is_there": False}

EXAMPLES = {
    "get_queues_by_slug_hours": Example({"Soonest on Monday evening": _HOURS}),
    "get_queues_by_slug_rounds": Example({"The next one": {"results": [_ROUND]}}),
    "post_rounds_by_round_id_join": Example({"Joined": _ENTRY}, by("ann-17")),
    "post_rounds_by_round_id_leave": Example({"Left": {"round": 9, "left": True}}, by("ann-17")),
}
