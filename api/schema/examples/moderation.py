"""Examples of reports, appeals and names."""

from api.schema.examples.example import CY, Example, page

__all__ = ["EXAMPLES"]

_REPORT = {
    "id": 7,
    "reported": CY,
    "kind": "left",
    "match": 481,
    "text": "Left after two minutes.",
    "lines": 0,
    "at": "2026-11-21T19:30:11.704Z",
    "closed_at": None,
}
_APPEAL = {
    "id": 3,
    "sanction": 12,
    "name_change": None,
    "text": "My connection broke, I had not left.",
    "at": "2026-11-21T19:40:02.114Z",
    "granted": None,
    "answer": "",
}
_OWN = {**_REPORT, "reported": {**CY, "external_id": None}}
_NAME = {"name": "Annabel", "locked": False, "changes_left": 2, "next_at": None}

EXAMPLES = {
    "get_player_reports": Example({"One report": page(_OWN)}),
    "post_player_reports": Example(
        {"A moderator looks at it": _REPORT},
        {
            "A server, for a player": {
                "player": "ann-17",
                "reported": 35,
                "kind": "left",
                "match": 481,
                "text": "Left after two minutes.",
            },
            "A player's own client": {"reported": 35, "kind": "chat"},
        },
        201,
    ),
    "get_appeals": Example({"One appeal": page(_APPEAL)}),
    "post_appeals": Example(
        {"A moderator looks at it": _APPEAL},
        {"A sanction": {"sanction": 12, "text": "My connection broke, I had not left."}},
        201,
    ),
    "get_me_name": Example({"As it is": _NAME}),
    "put_me_name": Example({"Changed": _NAME}, {"Another name": {"name": "Annabel"}}),
}
