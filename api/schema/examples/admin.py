"""Examples of setting up a game: the one in which the others play."""

from typing import Any

from api.auth.scopes import SERVER_SCOPES
from api.schema.examples.example import Example, page

__all__ = ["EXAMPLES"]

_MADE_AT = "2026-11-20T09:12:44.120Z"
_GAME_CHOSEN: dict[str, Any] = {
    "name": "My game",
    "description": "Two squads and a canyon.",
    "disputes_at_most": 3,
    "appeals_to": "https://my-game.example.org/appeals",
    "refused_words": "",
}
_GAME = {
    "id": 1,
    "slug": "my-game",
    **_GAME_CHOSEN,
    "simulated": False,
    "created_at": _MADE_AT,
    "archived_at": None,
}
_LADDER_CHOSEN: dict[str, Any] = {
    "name": "Squads",
    "team_count": 2,
    "team_size": 2,
    "smallest_team": 1,
}
_LADDER = {
    "id": 3,
    "slug": "squads",
    "game": "my-game",
    **_LADDER_CHOSEN,
    "description": "",
    "fewest_teams": None,
    "report_minutes": 15,
    "abandon_minutes": 180,
    "mode": "ranked",
    "rated_by": "results",
    "days_to_forget": 10000.0,
    "established_after": 12,
    "pool_minimum": 20,
    "inactive_after_days": 60.0,
    "lists_provisional": False,
    "drift_days": 7.0,
    "created_at": _MADE_AT,
    "archived_at": None,
}
_TRACK = {
    "id": 5,
    "ladder": "squads",
    "system": "trueskill",
    "apart": "",
    "period_days": None,
    "ordered_by": "conservative",
    "shown": True,
    "state": "live",
    "version": 2,
    "parameters": {"beta": 4.5, "tau": 0.1, "days_to_forget": 10000.0, "established_after": 12},
    "warnings": [],
    "archived_at": None,
}
_QUEUE_CHOSEN: dict[str, Any] = {
    "name": "Squads",
    "accept_seconds": 20,
    "settings": {
        "region": {"use": "must"},
        "teams": {"roles": "tank 1; healer 1"},
        "maps": {"names": "Canyon; Moor"},
    },
}
_QUEUE = {
    "id": 4,
    "slug": "squads",
    "game": "my-game",
    "ladder": "squads",
    **_QUEUE_CHOSEN,
    "is_open": True,
    "strategy": "filters",
    "gap_start": 4.2,
    "gap_per_second": 0.21,
    "gap_cap": None,
    "accepts_by_itself": False,
    "heartbeat_seconds": 60,
    "idle_seconds": 180,
    "still_there_seconds": 30,
    "partner_seconds": 60,
    "partner_answer_seconds": 15,
    "warnings": [],
    "archived_at": None,
}
_KEY = {
    "id": 8,
    "name": "match host",
    "game": "my-game",
    "scopes": [scope.value for scope in SERVER_SCOPES],
    "begins_with": "em_srv_4rv3h7qd_",
    "created_at": _MADE_AT,
    "expires_at": None,
    "revoked_at": None,
    "last_used_at": None,
    "issued_by": 7,
}


def _put(thing: dict[str, Any], chosen: dict[str, Any]) -> Example:
    """It is made the first time, and is the same afterwards."""
    return Example(
        {"It was there": thing},
        {"What it shall be": {**chosen, "note": "release 14"}},
        more={201: {"It was made": thing}},
    )


EXAMPLES = {
    "get_admin_games": Example({"One game": page(_GAME)}),
    "get_admin_games_by_slug": Example({"A game": _GAME}),
    "put_admin_games_by_slug": _put(_GAME, _GAME_CHOSEN),
    "get_admin_ladders": Example({"One ladder": page(_LADDER)}),
    "get_admin_ladders_by_slug": Example({"Two against two": _LADDER}),
    "put_admin_ladders_by_slug": _put(_LADDER, {"game": "my-game", **_LADDER_CHOSEN}),
    "get_admin_ladders_by_slug_tracks": Example({"One track": page(_TRACK)}),
    "put_admin_ladders_by_slug_tracks_by_system": _put(
        _TRACK,
        {
            "period_days": None,
            "ordered_by": "conservative",
            "parameters": {"beta": 4.5, "tau": 0.1},
        },
    ),
    "get_admin_queues": Example({"One queue": page(_QUEUE)}),
    "get_admin_queues_by_slug": Example({"With roles and maps": _QUEUE}),
    "put_admin_queues_by_slug": _put(_QUEUE, {"ladder": "squads", **_QUEUE_CHOSEN}),
    "get_admin_keys": Example({"One key": page(_KEY)}),
    "post_admin_keys": Example(
        {"The key, shown once": {**_KEY, "key": f"em_srv_4rv3h7qd_{'0c4f' * 16}"}},
        {"Of a server": {"game": "my-game", "name": "match host"}},
        status=201,
    ),
    "get_admin_keys_by_key_id": Example({"A key": _KEY}),
    "put_admin_keys_by_key_id": Example({"A key": _KEY}, {"Another name": {"name": "match host"}}),
}
