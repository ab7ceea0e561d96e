"""Examples of a server that players join and leave: Ann and Ben meet on it, and it tells what they do."""

from typing import Any

from api.schema.examples.example import ANN, BEN, Example, page

__all__ = ["EXAMPLES"]

_SERVER: dict[str, Any] = {
    "slug": "dm1",
    "name": "Deathmatch 1",
    "game": "my-game",
    "ladder": "open-deathmatch",
    "playing": [881],
    "last_event_at": "2026-11-21T18:41:40.578Z",
    "created_at": "2026-11-20T09:14:02.511Z",
}
_NEW = {**_SERVER, "playing": [], "last_event_at": None}


def _event(number: int, kind: str, second: int, **more: Any) -> dict[str, Any]:
    at = f"2026-11-21T18:21:{second:02d}Z"
    return {"match": "evening-7", "number": number, "type": kind, "at": at, **more}


_BEGIN = _event(1, "begin", 1, map="Canyon")
_JOIN = _event(2, "join", 2, player="ann-17", team="red")
_FRAG = _event(4, "frag", 9, player="ann-17", victim="ben-17", weapon="rocket")
_KINDS: dict[str, dict[str, Any]] = {
    "A match begins": _BEGIN,
    "A player joins a team": _JOIN,
    "A player joins, of no team": _event(3, "join", 3, player="ben-17"),
    "A frag": _FRAG,
    "A fall: nobody did it": _event(5, "frag", 12, victim="ben-17", weapon="fall"),
    "A frag of a bot": _event(6, "frag", 15, guest="Iron Guard", victim="ben-17"),
    "A suicide": _event(7, "suicide", 19, player="ben-17", weapon="rocket"),
    "A team kill": _event(8, "team_kill", 23, player="ann-17", victim="cy-17"),
    "A capture": _event(9, "capture", 31, player="ann-17"),
    "Something else that scores": _event(10, "score", 36, player="ben-17", weight=0.5),
    "A round is over": _event(11, "round", 40, team="red"),
    "A player leaves": _event(12, "leave", 44, player="ben-17"),
    "The match ends": _event(13, "end", 50),
    "The match ends, with its scores": _event(13, "end", 50, scores={"red": 3, "ben-17": 1}),
}
_ACCEPTED: dict[str, Any] = {
    "stored": 2,
    "known": 1,
    "refused": [
        {
            "index": 3,
            "number": 8,
            "match": "evening-7",
            "code": "wrong_event",
            "detail": "victim: must be given, or a victim_guest",
            "field": "victim",
        }
    ],
    "matches": {"evening-7": {"id": 881, "complete_to": 4, "missing": [[5, 5]], "over": False}},
}
_TOLD: dict[str, Any] = {
    "match": 881,
    "complete_to": 4,
    "over": False,
    "results": [
        {
            "number": 4,
            "type": "frag",
            "at": "2026-11-21T18:21:09Z",
            "player": {**ANN, "external_id": None},
            "victim": {**BEN, "external_id": None},
            "guest": "",
            "victim_guest": "",
            "weapon": "rocket",
            "team": "",
            "map": "",
            "weight": None,
            "counts": True,
        }
    ],
    "gaps": [{"first": 3, "last": 3, "given_up_at": "2026-11-21T18:21:41.020Z"}],
    "next": None,
}

EXAMPLES = {
    "get_servers": Example({"One server": page(_SERVER)}),
    "get_servers_by_server": Example({"A match goes on": _SERVER}),
    "put_servers_by_server": Example(
        {"It was there": _SERVER},
        {
            "At each start, where one ladder is rated by events": {},
            "All there is": {"ladder": "open-deathmatch", "name": "Deathmatch 1"},
        },
        more={201: {"It was made": _NEW}},
    ),
    "post_servers_by_server_events": Example(
        {"One was known, one is missing, one was wrong": _ACCEPTED},
        {
            "Several at once": {"events": [_BEGIN, _JOIN, _FRAG]},
            **{name: {"events": [event]} for name, event in _KINDS.items()},
        },
    ),
    "get_matches_by_match_id_events": Example({"A frag, behind one that never came": _TOLD}),
}
