"""Examples of challenges."""

from typing import Any

from api.schema.examples.example import ANN, BEN, Example, page
from api.schema.examples.parties import by

__all__ = ["EXAMPLES"]

SENT: dict[str, Any] = {
    "id": 41,
    "game": "my-game",
    "ladder": "duel",
    "challenger": ANN,
    "challenged": BEN,
    "state": "open",
    "side": "drawn",
    "rated": True,
    "note": "Best of one?",
    "at": None,
    "created_at": "2026-11-21T18:15:02.310Z",
    "expires_at": "2026-11-21T18:25:02.310Z",
    "due_at": None,
    "here": {"challenger": False, "challenged": False},
    "match": None,
    "rematch_of": None,
    "code": None,
    "url": None,
}
BOTH = {"challenger": True, "challenged": True}
STARTED = {**SENT, "state": "started", "here": BOTH, "match": 881}
WAITING = {
    **SENT,
    "state": "accepted",
    "due_at": "2026-11-21T18:19:30.104Z",
    "here": {"challenger": False, "challenged": True},
}
LINK = {
    **SENT,
    "challenged": None,
    "code": "3UPT276YSUKW",
    "url": "https://play.example.org/challenges/link/3UPT276YSUKW/",
}
PROPOSED = {
    **SENT,
    "rated": False,
    "at": "2026-11-27T19:00:00Z",
    "expires_at": "2026-11-27T19:00:00Z",
}
REMATCH = {**SENT, "id": 42, "side": "other", "note": "", "rematch_of": 881}
DUEL = {"ladder": "duel", "challenged": 34, "note": "Best of one?"}
TIMED = {"ladder": "duel", "challenged": 34, "rated": False, "at": "2026-11-27T19:00:00Z"}

EXAMPLES = {
    "get_challenges": Example({"One that is open": page(SENT)}),
    "post_challenges": Example(
        {"A named player": SENT, "An appointment": PROPOSED, "A link": LINK},
        {
            **by("ann-17", **DUEL),
            "An appointment": {"player": "ann-17", **TIMED},
            "A link": {"player": "ann-17", "ladder": "duel"},
        },
        201,
    ),
    "get_challenges_by_challenge_id": Example({"It is open": SENT}),
    "post_challenges_take": Example(
        {"The match begins": {**STARTED, "code": LINK["code"], "url": LINK["url"]}},
        by("ben-17", code="3upt-276y-sukw"),
    ),
    "post_challenges_by_challenge_id_accept": Example(
        {"The match begins": STARTED, "The challenger is not there yet": WAITING}, by("ben-17")
    ),
    "post_challenges_by_challenge_id_decline": Example(
        {"It is declined": {**SENT, "state": "declined"}}, by("ben-17")
    ),
    "post_challenges_by_challenge_id_withdraw": Example(
        {"It is taken back": {**SENT, "state": "withdrawn"}}, by("ann-17")
    ),
    "post_challenges_by_challenge_id_cancel": Example(
        {"It is called off": {**SENT, "state": "cancelled"}}, by("ann-17")
    ),
    "post_challenges_by_challenge_id_here": Example({"The match begins": STARTED}, by("ann-17")),
    "post_matches_by_match_id_rematch": Example({"The other is asked": REMATCH}, by("ann-17")),
}
