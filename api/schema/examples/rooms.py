"""Examples of rooms: Ann opens one for two against two, Ben comes in."""

from typing import Any

from api.schema.examples.example import ANN, BEN, Example, page

__all__ = ["EXAMPLES"]

LISTED: dict[str, Any] = {
    "id": 71,
    "game": "arena",
    "ladder": "arena-duos",
    "name": "Evening game",
    "note": "Newcomers are welcome.",
    "category": "casual",
    "host": ANN,
    "state": "open",
    "access": "open",
    "team_count": 2,
    "team_size": 2,
    "created_at": "2026-11-21T18:15:02.310Z",
    "seated": 1,
    "watching": 0,
    "reason": None,
    "mine": False,
}


def member(who: dict[str, Any], seat: int | None, **more: Any) -> dict[str, Any]:
    """A player in the room."""
    return {
        "player": who,
        "seat": seat,
        "ready": False,
        "team": None,
        "captain": False,
        "vote": None,
        "misfit": None,
        **more,
    }


OPENED: dict[str, Any] = {
    **{
        name: LISTED[name]
        for name in LISTED
        if name not in ("seated", "watching", "reason", "mine")
    },
    "code": "3UPT276YSU",
    "group": None,
    "team_choice": "balanced",
    "map_choice": "vote",
    "map": None,
    "start_rule": "ready",
    "rated": True,
    "options": ["no items"],
    "filters": {"languages": ["de", "en"]},
    "maps": ["River", "Canyon"],
    "struck": [],
    "members": [member(ANN, 0)],
    "turn": None,
    "seconds_left": None,
    "match": None,
    "ended_at": None,
}
BOTH = {**OPENED, "members": [member(ANN, 0), member(BEN, 1)]}
READY = {**OPENED, "members": [member(ANN, 0), member(BEN, 1, ready=True)]}
VOTED = {**OPENED, "members": [member(ANN, 0), member(BEN, 1, vote="River")]}
LED = {**BOTH, "host": BEN}
LEFT = {**OPENED, "host": BEN, "members": [member(BEN, 1)]}
CLOSED = {**OPENED, "state": "closed", "members": [], "ended_at": "2026-11-21T18:40:11.020Z"}
STARTED = {**CLOSED, "state": "started", "map": "River", "match": 881}
DRAFT = {**BOTH, "state": "drafting", "team_choice": "draft", "turn": 33, "seconds_left": 28.4}
STRIKING = {**BOTH, "state": "starting", "map_choice": "veto", "turn": 34, "seconds_left": 17.0}
CHOICES = {
    "ladder": "arena-duos",
    "open": True,
    "categories": ["casual", "serious", "beginners", "custom"],
    "team_count": 2,
    "team_size": 2,
    "maps": ["River", "Canyon"],
    "filters": ["rating", "chance", "established", "languages", "conduct"],
    "turn_seconds": 30,
    "silent_seconds": 120,
}
ASKED = {
    "ladder": "arena-duos",
    "name": "Evening game",
    "note": "Newcomers are welcome.",
    "team_choice": "balanced",
    "map_choice": "vote",
    "start_rule": "ready",
    "options": ["no items"],
    "filters": {"languages": ["de", "en"]},
}


def by(player: str, **more: Any) -> dict[str, Any]:
    """Requests of the game's server, and of the player's own client."""
    return {"A server, for a player": {"player": player, **more}, "A player's own client": more}


def act(verb: str, shown: str, answer: dict[str, Any], who: str, **more: Any) -> dict[str, Example]:
    """The example of what is done in a room."""
    return {f"post_rooms_by_room_id_{verb}": Example({shown: answer}, by(who, **more))}


EXAMPLES: dict[str, Example] = {
    "get_rooms": Example({"One room": page(LISTED)}),
    "post_rooms": Example({"The host has the first seat": OPENED}, by("ann-17", **ASKED), 201),
    "get_rooms_choices": Example({"A ladder of two against two": CHOICES}),
    "post_rooms_join": Example({"Both are in it": BOTH}, by("ben-17", code="3upt2-76ysu")),
    "get_rooms_by_room_id": Example({"Two of four seats are taken": BOTH}),
    **act("join", "Both are in it", BOTH, "ben-17", languages=["de"], seat=1),
    **act(
        "watch",
        "Ben looks on",
        {**OPENED, "members": [member(ANN, 0), member(BEN, None)]},
        "ben-17",
    ),
    **act("leave", "Ben is host now", LEFT, "ann-17"),
    **act(
        "seat",
        "Ben sits in the other team",
        {**OPENED, "members": [member(ANN, 0), member(BEN, 2)]},
        "ben-17",
        seat=2,
    ),
    **act("ready", "Ben is ready", READY, "ben-17", ready=True),
    **act("vote", "Ben wants River", VOTED, "ben-17", map="River"),
    **act("pick", "The next pick", DRAFT, "ben-17", member=35),
    **act("strike", "The other captain's turn", STRIKING, "ann-17", map="Canyon"),
    **act("start", "The match has begun", STARTED, "ann-17"),
    **act(
        "settings",
        "Another note",
        {**OPENED, "note": "Best of three."},
        "ann-17",
        note="Best of three.",
    ),
    **act(
        "remove", "The code is another one", {**OPENED, "code": "K7WQ2M4XRT"}, "ann-17", member=34
    ),
    **act("host", "Ben is host now", LED, "ann-17", member=34),
    **act("close", "It is closed", CLOSED, "ann-17"),
    **act("heartbeat", "As it is", BOTH, "ben-17"),
}
