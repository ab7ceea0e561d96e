"""Examples of figures of game servers: Ann and Ben have met on one."""

from typing import Any

from api.schema.examples.example import ANN, BEN, Example

__all__ = ["EXAMPLES"]

_ANN, _BEN = {**ANN, "external_id": None}, {**BEN, "external_id": None}
_OF_ANN: dict[str, Any] = {
    "matches": 12,
    "frags": 180,
    "deaths": 120,
    "suicides": 3,
    "minutes": 150.0,
    "ratio": 1.5,
    "per_hour": 72.0,
}
_OF_BEN = {**_OF_ANN, "frags": 120, "deaths": 180, "suicides": 1, "ratio": 0.667, "per_hour": 48.0}
_TOTAL = {**_OF_ANN, "frags": 300, "deaths": 300, "suicides": 4, "minutes": 300.0, "ratio": 1.0}
_WEAPONS = [{"weapon": "rocket", "frags": 110}, {"weapon": "rail", "frags": 70}]
_MAPS = [
    {"map": "Canyon", "matches": 8, "frags": 120},
    {"map": "Harbour", "matches": 4, "frags": 60},
]
_ASKED = {"game": "my-game", "server": None, "days": 30}
_STATISTICS = {
    **_ASKED,
    "total": {**_TOTAL, "per_hour": 60.0},
    "players": 2,
    "results": [{"player": _ANN, "counts": _OF_ANN}, {"player": _BEN, "counts": _OF_BEN}],
    "weapons": _WEAPONS,
    "maps": _MAPS,
}
_RANKING = {
    **_ASKED,
    "core": None,
    "pairs": "frags",
    "matches": 12,
    "is_cut": False,
    "players": 2,
    "group_count": 1,
    "outside_core": 0,
    "misfit": 0.0,
    "groups": [
        {
            "number": 1,
            "players": 2,
            "results": [
                {
                    "place": 1,
                    "player": _ANN,
                    "strength": 0.1,
                    "opponents": 1,
                    "frags": 180,
                    "deaths": 120,
                },
                {
                    "place": 2,
                    "player": _BEN,
                    "strength": -0.1,
                    "opponents": 1,
                    "frags": 120,
                    "deaths": 180,
                },
            ],
        }
    ],
}
_OF_PLAYER = {
    "results": [
        {
            "ladder": "open-deathmatch",
            "total": _OF_ANN,
            "servers": [
                {"server": "dm1", "counts": _OF_ANN, "played_at": "2026-11-21T18:21:01.331Z"}
            ],
            "weapons": _WEAPONS,
            "maps": _MAPS,
            "victim": {"player": _BEN, "frags": 180},
            "nemesis": {"player": _BEN, "frags": 120},
        }
    ]
}

EXAMPLES = {
    "get_games_by_slug_statistics": Example({"Two players": _STATISTICS}),
    "get_games_by_slug_static_ranking": Example({"They can be compared": _RANKING}),
    "get_players_by_player_id_statistics": Example({"On one ladder": _OF_PLAYER}),
}
