"""Examples of what players say of playing with each other."""

from api.schema.examples.example import CY, Example, page
from api.schema.examples.parties import by

__all__ = ["EXAMPLES"]

SAID = {
    "player": CY,
    "enjoyed": True,
    "tags": ["friendly", "team_player"],
    "said_at": "2026-11-21T19:31:40.218Z",
}

EXAMPLES = {
    "get_me_feedback": Example({"One player": page(SAID)}),
    "put_me_feedback_by_player_id": Example(
        {"The newest word counts": SAID},
        by("ann-17", enjoyed=True, tags=["friendly", "team_player"]),
    ),
}
