"""Rows of behaviour in matches, and of estimates from it."""

from api.auth.scopes import Scope
from tests.api.matrix import Row, on_hidden, scoped

__all__ = ["ROWS"]

ROWS: list[Row] = [
    # The game has declared no feature.
    Row(
        "match-behaviour",
        "PUT",
        on_hidden("behaviour"),
        scoped(Scope.MATCHES_WRITE, Scope.RESULTS_WRITE, status=422, other_server=404),
        body={"players": {"anna": {"accuracy": 0.5}}},
    ),
    # Others than Anna and the servers of her game are not told of her.
    Row(
        "player-estimates",
        "GET",
        lambda world: f"players/{world.anna.pk}/estimates",
        scoped(Scope.READ, other_player=404, foreign_player=404, other_server=404),
    ),
    # Of servers alone, though `read` is a scope of players, too.
    Row(
        "ladder-estimate",
        "POST",
        lambda world: f"ladders/{world.ladder.slug}/estimate",
        scoped(
            Scope.READ,
            status=422,
            player_read=403,
            other_player=403,
            foreign_player=403,
            other_server=404,
        ),
        body={"matches": [{"accuracy": 0.5}]},
    ),
]
