"""Examples of conduct and absences."""

from typing import Any

from api.schema.examples.example import Example
from api.schema.examples.parties import by

__all__ = ["EXAMPLES"]

APPEAL: dict[str, Any] = {
    "text": "My router restarted; I was back two minutes later.",
    "state": "open",
    "made_at": "2026-11-21T20:14:03.120Z",
    "decided_at": None,
    "reason": "",
}
LEFT: dict[str, Any] = {
    "id": 71,
    "kind": "left",
    "points": 0.8,
    "points_now": 0.74,
    "at": "2026-11-20T19:40:11.021Z",
    "match": 4711,
    "reason": "",
    "taken_back_at": None,
    "appeal": None,
}
DECLINED = {**LEFT, "id": 75, "kind": "declined", "points": 0.4, "points_now": 0.4, "match": None}
CONDUCT: dict[str, Any] = {
    "points": 1.14,
    "step": "cooling_off",
    "cooling_until": "2026-11-21T20:26:40.500Z",
    "among_like_until": "2026-11-24T11:20:00.000Z",
    "clean_at": "2026-12-26T22:10:00.000Z",
    "half_life_days": 14.0,
    "note_from": 0.2,
    "cool_from": 0.7,
    "cool_after": 2,
    "among_like_from": 1.0,
    "given": 0.0,
    "offences": [DECLINED, LEFT],
}
AWAY: dict[str, Any] = {
    "match": 4711,
    "player": 33,
    "away_at": "2026-11-21T19:20:00.000Z",
    "until": "2026-11-21T19:23:00.000Z",
    "told_by": "server",
    "back_at": None,
}

EXAMPLES = {
    "get_me_conduct": Example({"Cooling off": CONDUCT}),
    "post_me_conduct_by_offence_id_appeal": Example(
        {"It waits for a decision": {**LEFT, "appeal": APPEAL}},
        by("ann-17", text=APPEAL["text"]),
        201,
    ),
    "post_matches_by_match_id_away": Example({"The time runs": AWAY}, by("ann-17")),
    "post_matches_by_match_id_back": Example(
        {"Back in time": {**AWAY, "back_at": "2026-11-21T19:21:30.000Z"}}, by("ann-17")
    ),
}
