"""Examples of behaviour in matches, and of estimates from it."""

from typing import Any

from api.schema.examples.example import Example

__all__ = ["EXAMPLES"]

_TOLD = {"accuracy": 0.41, "damage_per_minute": 612.5}
_ESTIMATE: dict[str, Any] = {
    "ladder": "squads",
    "rating": 1688.4,
    "error": 128.4,
    "error_of_start": 262.8,
    "error_of_mean": 263.3,
    "matches": 10,
    "model": "ridge",
    "features": ["accuracy", "damage_per_minute"],
    "players": 600,
    "learned_at": "2026-11-21T04:00:12.114Z",
}

EXAMPLES = {
    "put_matches_by_match_id_behaviour": Example(
        {"Of two players": {"match": 812, "players": 2}},
        {"Of two players": {"players": {"ann-17": _TOLD, "ben-17": {"accuracy": 0.28}}}},
    ),
    "get_players_by_player_id_estimates": Example(
        {
            "On one ladder": {"results": [_ESTIMATE]},
            "Nothing to go by": {"results": []},
        }
    ),
    "post_ladders_by_slug_estimate": Example(
        {
            "By ten matches": {"estimate": _ESTIMATE},
            "No model beats a guess": {"estimate": None},
        },
        {"One match of a tutorial": {"matches": [_TOLD]}},
    ),
}
