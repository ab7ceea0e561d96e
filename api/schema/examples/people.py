"""Examples of friends, following, blocks, and of who may turn to a player."""

from typing import Any

from api.schema.examples.example import BEN, CY, Example, page
from api.schema.examples.parties import by

__all__ = ["EXAMPLES"]

ASKED: dict[str, Any] = {
    "player": BEN,
    "state": "asked",
    "asked_at": "2026-11-21T19:02:11.704Z",
    "friends_since": None,
}
FRIENDS = {**ASKED, "state": "friends", "friends_since": "2026-11-21T19:04:40.117Z"}
LISTED = {"player": CY, "since": "2026-11-21T19:02:11.704Z"}
PRESENT: dict[str, Any] = {
    "player": BEN,
    "friend": True,
    "doing": [
        {"doing": "playing", "where": "Duel", "id": 2041, "since": "2026-11-21T19:10:00.000Z"}
    ],
}
EVENINGS = {"slug": "evenings", "name": "Evenings"}
PROFILE: dict[str, Any] = {
    "country": "DE",
    "age_group": "25-34",
    "plays_for": "fun",
    "tags": [EVENINGS],
}
OWN_PROFILE = {
    **PROFILE,
    "country_told": "everyone",
    "age_group_told": "friends",
    "plays_for_told": "everyone",
    "tags_told": "matching",
    "offered": [EVENINGS],
}
CONTACT = {"write": "everyone", "challenge": "friends", "see": "friends", "ask": "everyone"}

EXAMPLES = {
    "get_me_friends": Example({"One friend": page(FRIENDS)}),
    "post_me_friends": Example(
        {"Asked": ASKED, "Asked before by the other": FRIENDS}, by("ann-17", friend=34)
    ),
    "get_me_following": Example({"One player": page(LISTED)}),
    "post_me_following": Example(
        {"On the list": LISTED}, by("ann-17", follow=35), 201, {200: {"There already": LISTED}}
    ),
    "get_me_blocked": Example({"One player": page(LISTED)}),
    "post_me_blocked": Example(
        {"On the list": LISTED}, by("ann-17", block=35), 201, {200: {"There already": LISTED}}
    ),
    "get_me_presence": Example({"One plays": {"results": [PRESENT]}}),
    "get_me_profile": Example({"Told to friends": OWN_PROFILE}),
    "patch_me_profile": Example(
        {"Told to friends": OWN_PROFILE}, by("ann-17", country="DE", tags=["evenings"])
    ),
    "get_players_by_player_id_profile": Example({"Of a friend": PROFILE}),
    "get_me_contact": Example({"Friends may challenge": CONTACT}),
    "patch_me_contact": Example(
        {"Friends may challenge": CONTACT}, by("ann-17", challenge="friends")
    ),
}
