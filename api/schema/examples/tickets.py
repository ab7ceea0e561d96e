"""Examples of tickets: from the search to the match."""

from collections.abc import Mapping
from typing import Any

from api.schema.examples.example import ANN, BEN, CY, DEE, Example, page
from api.schema.examples.queues import ME, SOON
from api.serializers.searching.tickets import wishes_of

__all__ = ["EXAMPLES"]

WISHES: dict[str, Any] = wishes_of(
    {
        "languages": ["de", "en"],
        "regions": {"eu": 35.0, "us": 120.0},
        "maps": {"veto": ["Moor"]},
    }
)
WAITING: dict[str, Any] = {
    "id": 512,
    "queue": "squads",
    "ladder": "squads",
    "state": "waiting",
    "players": [
        {**ANN, "character": "Mage", "roles": ["healer"]},
        {**BEN, "character": "", "roles": ["tank"]},
    ],
    "party": 12,
    "wishes": WISHES,
    "waiting_since": "2026-11-21T18:20:31.892Z",
    "waited": 4.2,
    "expires_at": "2026-11-21T18:21:35.892Z",
    "still_there_by": None,
    "still_there_left": None,
    "estimate": SOON,
    "partner": {
        "wanted": False,
        "available_at": "2026-11-21T18:21:31.892Z",
        "request": None,
        "answer_by": None,
        "last": "",
    },
    "offer": None,
    "match": None,
}
WANTED: dict[str, Any] = {
    "wanted": True,
    "available_at": "2026-11-21T18:21:31.892Z",
    "request": 41,
    "answer_by": "2026-11-21T18:21:48.104Z",
    "last": "",
}
OFFER: dict[str, Any] = {
    "id": 77,
    "expires_at": "2026-11-21T18:20:57.104Z",
    "seconds_left": 18.4,
    "accepted": 1,
    "of": 3,
    "is_accepted": False,
    "team": 1,
    "teams": [
        {"size": 2, "players": [{**CY, "character": None}, {**DEE, "character": None}]},
        {"size": 2, "players": [{**ANN, "character": "Mage"}, {**BEN, "character": ""}]},
    ],
    "map": "Canyon",
    "neutral": False,
}


def later(**changes: Any) -> dict[str, Any]:
    """The same ticket when something has come of it."""
    return {**WAITING, "expires_at": None, **changes}


def for_players(offer: Mapping[str, Any]) -> dict[str, Any]:
    """The same offer as one of its players sees it: without opponents, without the game's own ids."""
    own = [{**one, "external_id": None} for one in offer["teams"][1]["players"]]
    return {**offer, "teams": [{"size": 2, "players": None}, {"size": 2, "players": own}]}


MINE = [{**one, "external_id": None} for one in WAITING["players"]]
OFFERED = later(state="offered", waited=7.0, offer=OFFER)
OFFERED_TO_ME = later(state="offered", waited=7.0, offer=for_players(OFFER), players=MINE)
ACCEPTED = later(state="offered", waited=9.1, offer={**OFFER, "accepted": 2, "is_accepted": True})
ASKED = {
    **WAITING,
    "waited": 190.0,
    "still_there_by": "2026-11-21T18:24:11.892Z",
    "still_there_left": 28.5,
}
MATCHED = later(state="matched", waited=12.6, match=881)
ENDED = later(state="cancelled", waited=9.1)

NAMED = {"One player alone": {"queue": "squads", "player": "ann-17"}}
ALL: dict[str, Any] = {
    "queue": "squads",
    "player": "ann-17",
    "party": 12,
    "languages": ["de", "en"],
    "regions": {"eu": 35, "us": 120},
    "maps": {"veto": ["Moor"]},
    "character": "Mage",
    "roles": ["healer"],
    "members": [{"member": 34, "roles": ["tank"]}],
}
TOKEN: dict[str, Any] = {
    "queue": "squads",
    "languages": ["de", "en"],
    "regions": {"eu": 35, "us": None},
    "roles": ["tank", "healer"],
}
REQUESTS = {**NAMED, "The leader of a party, with wishes": ALL, "A player's own client": TOKEN}
SEEN = {
    "It waits": WAITING,
    "Its players are asked whether they are there": ASKED,
    "A match is offered": OFFERED,
    "There is a match": MATCHED,
}
SURELY = {"This offer and no other": {"offer": 77}}

STANDINGS: list[dict[str, Any]] = [
    {"id": 101, "state": "waiting", "offer": None, "match": None},
    {"id": 104, "state": "offered", "offer": 77, "match": None},
    {"id": 105, "state": "matched", "offer": None, "match": 881},
]

EXAMPLES = {
    "get_me": Example(
        {"A player in a match": ME, "A search": {**ME, "match": None, "ticket": OFFERED_TO_ME}}
    ),
    "get_tickets": Example({"One search": page(WAITING)}),
    "post_tickets": Example({"The search has begun": WAITING}, REQUESTS, 201),
    "get_tickets_by_ticket_id": Example({**SEEN, "Offered, for a player": OFFERED_TO_ME}),
    "post_tickets_by_ticket_id_accept": Example(
        {"Others must answer yet": ACCEPTED, "The last one has accepted": MATCHED}, SURELY
    ),
    "post_tickets_by_ticket_id_decline": Example({"The search has ended": ENDED}, SURELY),
    "post_tickets_by_ticket_id_cancel": Example({"The search has ended": ENDED}),
    "post_tickets_heartbeat": Example(
        {"One waits, one is offered a match, one has been matched": {"results": STANDINGS}},
        {"Three players of a game": {"tickets": [one["id"] for one in STANDINGS]}},
    ),
    "post_tickets_by_ticket_id_heartbeat": Example(
        {"It waits": WAITING, "Its players are asked whether they are there": ASKED},
        {"The player is there": {}, "Nothing was done for three minutes": {"idle_seconds": 184.5}},
    ),
    "post_tickets_by_ticket_id_still_there": Example({"It waits": WAITING}),
    "post_tickets_by_ticket_id_partner": Example(
        {"The game is asked": {**WAITING, "waited": 61.2, "partner": WANTED}},
        {"Wanted": {"wanted": True}, "No longer": {"wanted": False}},
    ),
    "get_events": Example(
        {
            "Ann's and Ben's ticket is offered a match": {
                "results": [
                    {
                        "cursor": "6a1f8c2e90b3d417-2f7-1c4",
                        "at": "2026-11-21T18:20:37.104Z",
                        "kind": "offer.made",
                        "topics": ["searches:1"],
                        "ids": {"ticket": 512, "offer": 77, "queue": 3},
                        "players": [33, 34],
                    }
                ],
                "after": "6a1f8c2e90b3d417-2f8-0",
                "is_more": False,
            }
        }
    ),
}
