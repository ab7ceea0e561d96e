"""Examples of alerts."""

from api.schema.examples.example import Example
from api.schema.examples.parties import by

__all__ = ["EXAMPLES"]

_ALERT = {
    "queue": "doubles",
    "near": "close",
    "until": "2026-03-02T03:00:00Z",
    "told_at": None,
}

EXAMPLES = {
    "get_me_alerts": Example({"On in one queue": {"results": [_ALERT]}}),
    "put_me_alerts_by_slug": Example(
        {"On for the night": _ALERT},
        by("ann-17", near="close", until="tonight", zone="Europe/Berlin"),
    ),
}
