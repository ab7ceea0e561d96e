"""Examples of parties and avoid lists."""

from typing import Any

from api.schema.examples.example import ANN, BEN, CY, Example, page

__all__ = ["EXAMPLES"]

ALONE: dict[str, Any] = {
    "id": 12,
    "code": "3UPT276YSU",
    "leader": 33,
    "members": [ANN],
    "largest": 2,
    "ticket": None,
    "created_at": "2026-11-21T18:15:02.310Z",
    "ended_at": None,
}
BOTH = {**ALONE, "members": [ANN, BEN]}
LED = {**BOTH, "leader": 34}
SENT_AWAY = {**ALONE, "code": "K7WQ2M4XRT"}
LEFT = {**ALONE, "leader": 34, "members": [BEN]}
AVOIDED = {"player": CY, "added_at": "2026-11-21T19:02:11.704Z"}


def by(player: str, **more: Any) -> dict[str, Any]:
    """Requests of the game's server, and of the player's own client."""
    return {"A server, for a player": {"player": player, **more}, "A player's own client": more}


EXAMPLES = {
    "get_parties": Example({"One party": page(ALONE)}),
    "post_parties": Example({"The first member leads": ALONE}, by("ann-17"), 201),
    "post_parties_join": Example({"Both are members": BOTH}, by("ben-17", code="3upt2-76ysu")),
    "get_parties_by_party_id": Example({"Two members": {**BOTH, "ticket": 512}}),
    "post_parties_by_party_id_lead": Example({"Ben leads now": LED}, by("ann-17", member=34)),
    "post_parties_by_party_id_remove": Example(
        {"The code is another one": SENT_AWAY}, by("ann-17", member=34)
    ),
    "post_parties_by_party_id_leave": Example({"The longest member leads now": LEFT}, by("ann-17")),
    "get_me_avoided": Example({"One player": page(AVOIDED)}),
    "post_me_avoided": Example(
        {"On the list": AVOIDED}, by("ann-17", avoid=35), 201, {200: {"There already": AVOIDED}}
    ),
}
