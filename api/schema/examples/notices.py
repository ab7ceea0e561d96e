"""Examples of what players are told."""

from typing import Any

from api.schema.examples.example import Example, page

__all__ = ["EXAMPLES"]

NOTICE: dict[str, Any] = {
    "id": 801,
    "kind": "challenge.made",
    "group": "play",
    "text": "Dee challenges you: Duel.",
    "url": "https://play.example.org/play/challenges/41/",
    "about": "challenge:41",
    "facts": {"challenge": 41, "ladder": "Duel", "time": None, "by": 36},
    "created_at": "2026-11-21T19:04:11.310Z",
    "read_at": None,
}
CHOICES: dict[str, Any] = {
    "groups": [
        {"group": "offers", "site": True, "mail": False, "push": True},
        {"group": "play", "site": True, "mail": None, "push": None},
    ],
    "quiet_hours": {"begins": "22:30", "ends": "07:00", "zone": "Europe/Berlin"},
}
BROWSER: dict[str, Any] = {"id": 7, "created_at": "2026-11-21T18:10:00.512Z", "sent_at": None}
KEY = "BIQ5p9z5gT0G4bYxFyeQ8N6MOm7tq3lIcXg-kFAFO3xkWwlTQGJXqcBOrU8E9-Ml5qAb2tTxuD9BK1Fh2vBNZsE"
SUBSCRIPTION = {
    "endpoint": "https://push.example.org/send/c1KrmpTuRmY",
    "p256dh": "BKW4FDdiKj44b-7n9Xq8zyDsvN5H9Pw1SxV2s0eGQjGkX6ruVYwmDYkMXtiQ0C-XRkKQXKmnfM5pWaFjV8qoEzM",
    "auth": "xS03Fi5ErfTNH_l9WHE9Ig",
}


def by(player: str, **more: Any) -> dict[str, Any]:
    """Requests of the game's server, and of the player's own client."""
    return {"A server, for a player": {"player": player, **more}, "A player's own client": more}


EXAMPLES = {
    "get_me_notices": Example({"One is unread": page(NOTICE)}),
    "post_me_notices_read": Example(
        {"All are read now": {"changed": 1, "unread": 0}}, by("ann-17", ids=[801])
    ),
    "get_me_notices_choices": Example({"Quiet at night": CHOICES}),
    "post_me_notices_choices": Example(
        {"Offers by push, and quiet at night": CHOICES},
        by(
            "ann-17",
            groups=[{"group": "offers", "push": True}],
            quiet_hours=CHOICES["quiet_hours"],
        ),
    ),
    "get_me_notices_browsers": Example({"One browser": {"key": KEY, "browsers": [BROWSER]}}),
    "post_me_notices_browsers": Example(
        {"Push is on": BROWSER},
        by("ann-17", **SUBSCRIPTION),
        201,
        {200: {"It was on already": BROWSER}},
    ),
}
