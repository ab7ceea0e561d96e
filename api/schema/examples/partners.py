"""Examples of partners that a game supplies."""

from typing import Any

from api.schema.examples.example import ANN, BEN, Example, page

__all__ = ["EXAMPLES"]

_ASKED: dict[str, Any] = {
    "id": 41,
    "state": "asked",
    "ticket": 512,
    "queue": "squads",
    "ladder": "squads",
    "players": [ANN, BEN],
    "asked_at": "2026-11-21T18:21:33.104Z",
    "expires_at": "2026-11-21T18:21:48.104Z",
    "seconds_left": 13.7,
    "match": None,
    "name": "",
    "note": "",
}
_ACCEPTED: dict[str, Any] = {
    **_ASKED,
    "state": "accepted",
    "seconds_left": 0.0,
    "match": 884,
    "name": "Iron Guard",
    "note": "Plays like a beginner.",
}
_DECLINED = {**_ASKED, "state": "declined", "seconds_left": 0.0}

EXAMPLES = {
    "get_partner_requests": Example({"One waits": page(_ASKED)}),
    "get_partner_requests_by_request_id": Example({"It waits": _ASKED, "Supplied": _ACCEPTED}),
    "post_partner_requests_by_request_id_accept": Example(
        {"The match has begun": _ACCEPTED},
        {"A bot": {"name": "Iron Guard", "note": "Plays like a beginner."}, "Without a name": {}},
    ),
    "post_partner_requests_by_request_id_decline": Example({"The search goes on": _DECLINED}),
}
