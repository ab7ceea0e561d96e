"""Examples of what anybody may read: games, ladders, leaderboards, players and their ratings."""

from typing import Any

from api.schema.examples.example import ANN, BEN, Example, page
from api.schema.examples.matches import MATCH

__all__ = ["EXAMPLES"]

SITE = "https://play.example.org"
GAME: dict[str, Any] = {
    "id": 1,
    "slug": "my-game",
    "name": "My game",
    "description": "Two squads and a canyon.",
    "simulated": False,
}
LADDER: dict[str, Any] = {
    "id": 3,
    "slug": "squads",
    "name": "Squads",
    "description": "",
    "game": GAME,
    "rated_by": "results",
    "team_count": 2,
    "team_size": 2,
    "fewest_teams": 2,
    "smallest_team": 1,
    "system": "trueskill",
    "period_days": None,
    "players": 412,
    "matches": 9120,
    "updated_at": "2026-11-21T18:41:41.002Z",
}
COUNTS = {"listed": 350, "inactive": 40, "provisional": 22, "total": 412}
DETAIL = {
    **LADDER,
    "established_after": 12,
    "inactive_after_days": 60.0,
    "lists_provisional": False,
    "drift_days": 7.0,
    "drift_next_at": None,
    "report_minutes": 15,
    "abandon_minutes": 180,
    "counts": COUNTS,
    "next_update_at": None,
}
COUNTED = {"games": 40, "wins": 25, "draws": 1, "losses": 14}
ROW: dict[str, Any] = {
    "rank": 1,
    "movement": 2,
    "player": {**ANN, "external_id": None},
    "rating": 31.42,
    "deviation": 1.18,
    "conservative": 27.88,
    "status": "established",
    "points": 0.61,
    **COUNTED,
    "win_share": 0.625,
    "leave_share": 0.0,
    "last_played_at": "2026-11-21T18:21:01.331Z",
    "listed": True,
    "inactive": False,
}
BOARD = {
    "ladder": "squads",
    "simulated": False,
    "ordered_by": "conservative",
    "ordered_by_deviations": 3.0,
    "updated_at": "2026-11-21T18:41:41.002Z",
    "next_update_at": None,
    "counts": COUNTS,
    "results": [ROW],
    "next": f"{SITE}/api/v1/ladders/squads/leaderboard?limit=1&cursor=aMzEuNDI",
    "previous": None,
}
PLAYER: dict[str, Any] = {
    **ANN,
    "game": "my-game",
    "simulated": False,
    "kind": "person",
    "claimed": True,
    "looks_alike": False,
    "created_at": "2026-10-02T16:00:12.318Z",
    "url": f"{SITE}/players/33/",
}
SEEN = {**PLAYER, "external_id": None}
NEW = {**PLAYER, **BEN, "claimed": False, "url": f"{SITE}/players/34/"}
RATING: dict[str, Any] = {
    "ladder": "squads",
    "system": "trueskill",
    "rating": 31.42,
    "deviation": 1.18,
    "low": 29.06,
    "high": 33.78,
    "status": "established",
    "rank": 1,
    "listed": 350,
    "inactive": False,
    "counted_games": 40,
    **COUNTED,
    "win_share": 0.625,
    "leave_share": 0.0,
    "performance": None,
    "performance_games": 0,
    "last_played_at": "2026-11-21T18:21:01.331Z",
    "apart": [],
}
CHANGE: dict[str, Any] = {
    "id": 40120,
    "ladder": "squads",
    "kind": "match",
    "at": "2026-11-21T18:41:41.002Z",
    "match": 881,
    "period": None,
    "games": 1,
    "expected": 0.58,
    "actual": 1.0,
    "weight": 1.45,
    "rating_before": 30.81,
    "rating_after": 31.42,
    "deviation_before": 1.2,
    "deviation_after": 1.18,
    "status_before": "established",
}
_BY_ITSELF = ("changes", "reports", "away", "corrections", "server", "url")
LINE = {name: value for name, value in MATCH.items() if name not in _BY_ITSELF}
TOKEN = {
    "token": "em_ply_3f9k2m1x_" + "0123456789abcdef" * 4,
    "player": 33,
    "scopes": ["read", "play"],
    "expires_at": "2026-11-21T19:21:01.331Z",
}
STREAM = (
    "retry: 3000\n\n"
    'data: {"kind":"match.confirmed","topics":["player:33"],"ids":{"match":881}}\n\n'
    "event: tick\ndata: {}\n\n"
)
LINKS = {
    name: f"{SITE}/api/v1/{path}"
    for name, path in {
        "games": "games",
        "ladders": "ladders",
        "schema": "schema",
        "docs": "docs/",
        "problems": "problems/",
    }.items()
}


EXAMPLES = {
    "get_index": Example(
        {
            "A server": {"caller": "server:5", "scopes": ["read"], "links": LINKS},
            "Nobody": {"caller": None, "scopes": [], "links": LINKS},
        }
    ),
    "get_games": Example({"One game": page(GAME)}),
    "get_ladders": Example({"One ladder": page(LADDER)}),
    "get_ladders_by_slug": Example({"With its rules": DETAIL}),
    "get_ladders_by_slug_leaderboard": Example({"The first page": BOARD}),
    "get_matches": Example({"One match": page(LINE)}),
    "get_ladders_by_slug_matches": Example({"One match": page(LINE)}),
    "get_players": Example({"One player of that name": page(SEEN)}),
    "get_players_by_player_id": Example({"For everybody": SEEN, "For the game's server": PLAYER}),
    "get_players_by_player_id_ratings": Example({"On one ladder": {"results": [RATING]}}),
    "get_players_by_player_id_history": Example({"One change": page(CHANGE)}),
    "get_players_by_player_id_matches": Example({"One match": page(LINE)}),
    "get_players_by_external_id_by_external_id": Example({"The player": PLAYER}),
    "put_players_by_external_id_by_external_id": Example(
        {"Known already": PLAYER},
        {"With a name": {"name": "Ben"}, "As it is": {}},
        more={201: {"New": NEW}},
    ),
    "post_players_by_external_id_by_external_id_tokens": Example(
        {"For an hour": TOKEN}, {"For an hour": {"scopes": ["read", "play"], "seconds": 3600}}, 201
    ),
    "get_stream": Example({"A match has been confirmed": STREAM}),
}
