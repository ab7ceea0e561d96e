"""Examples of queues, and of who one is."""

from api.schema.examples.example import ANN, Example, page
from matchmaking.pairing.conditions import PREFERENCES

__all__ = ["EXAMPLES", "ME", "SOON"]

SOON = {"median": 11.8, "p90": 31.2, "searches": 50}
SQUADS = {
    "id": 3,
    "slug": "squads",
    "name": "Squads",
    "game": "my-game",
    "simulated": False,
    "ladder": "squads",
    "ladder_id": 3,
    "mode": "ranked",
    "strategy": "filters",
    "team_count": 2,
    "team_size": 2,
    "roles": {"tank": 1, "healer": 1},
    "maps": ["Canyon", "Moor"],
    **{name: [] for name, preference in PREFERENCES.items() if preference.queue_help},
    "regions": ["eu", "us"],
    "looks_at": ["languages", "regions", "maps", "roles"],
    "is_open": True,
    "waiting": 12,
    "estimate": {"median": 14.0, "p90": 40.5, "searches": 200},
    "accept_seconds": 20,
    "heartbeat_seconds": 60,
    "idle_seconds": 180,
    "still_there_seconds": 30,
    "partner_seconds": 60,
    "partner_answer_seconds": 15,
}
ME = {
    "game": "my-game",
    "archived_at": None,
    "scopes": ["play", "read"],
    "player": {**ANN, "external_id": None},
    "party": 12,
    "ticket": None,
    "room": None,
    "sanctions": [],
    "match": 881,
}
EXAMPLES = {
    "get_queues": Example({"One queue": page(SQUADS)}),
    "get_queues_by_slug": Example({"Two against two": SQUADS}),
}
