"""Rows of game servers, and of what they tell. The world's game has no such server, and no ladder for one."""

from api.auth.scopes import Scope
from tests.api.matrix import Row, fixed, public, scoped

__all__ = ["ROWS"]

_MAY_TELL = (Scope.RESULTS_WRITE,)
# `read` is a scope of players, too; servers are there for the game's servers alone.
_PLAYERS = {"player_read": 403, "other_player": 403, "foreign_player": 403}

ROWS: list[Row] = [
    Row("servers", "GET", fixed("servers"), scoped(Scope.READ, *_MAY_TELL, **_PLAYERS)),
    Row(
        "server",
        "GET",
        fixed("servers/dm1"),
        scoped(Scope.READ, *_MAY_TELL, status=404, **_PLAYERS),
    ),
    # The key of another game finds no such ladder in its own.
    Row(
        "server",
        "PUT",
        fixed("servers/dm1"),
        scoped(*_MAY_TELL, status=422, other_server=404),
        body={"ladder": "go"},
    ),
    Row(
        "server-events",
        "POST",
        fixed("servers/dm1/events"),
        scoped(*_MAY_TELL, status=404),
        body={"events": []},
    ),
    # No server has told it.
    Row("match-events", "GET", lambda world: f"matches/{world.hidden.pk}/events", public(404)),
    # Of all ranked ladders of a game together, and so for everybody.
    Row("game-statistics", "GET", fixed("games/go/statistics"), public()),
    Row("static-ranking", "GET", fixed("games/go/static-ranking"), public()),
    Row(
        "player-statistics",
        "GET",
        lambda world: f"players/{world.anna.pk}/statistics",
        public(),
    ),
]
