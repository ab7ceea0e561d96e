"""Leaderboards."""

from typing import Any

from rest_framework import serializers

from api.contract.pages import page_shape
from api.serializers.games import Answer, CountsShape
from api.serializers.players import PlayerRefShape
from api.serializers.words import STATUSES, status_word
from leaderboards.boards.ranking import Row

__all__ = ["BoardShape", "row_of"]


class RowShape(serializers.Serializer[Any]):
    """A player on a leaderboard. Players with equal ratings share a rank."""

    rank = serializers.IntegerField()
    movement = serializers.IntegerField(
        allow_null=True, help_text="Places gained since the last comparison; null: not listed then."
    )
    player = PlayerRefShape()
    rating = serializers.FloatField()
    deviation = serializers.FloatField(
        allow_null=True, help_text="As of now; null where the system has none."
    )
    status = serializers.ChoiceField(choices=STATUSES)
    points = serializers.FloatField(
        allow_null=True, help_text="Won or lost since the last comparison."
    )
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    win_share = serializers.FloatField(
        allow_null=True, min_value=0, max_value=1, help_text="null without a game."
    )
    leave_share = serializers.FloatField(
        allow_null=True, min_value=0, max_value=1, help_text="Games left early."
    )
    last_played_at = serializers.DateTimeField()
    listed = serializers.BooleanField(help_text="false only with `everyone`.")
    inactive = serializers.BooleanField()


BoardShape = page_shape(
    "BoardShape",
    RowShape,
    ladder=serializers.CharField(help_text="Short name of the ladder."),
    simulated=serializers.BooleanField(help_text="The game's players are computer-made."),
    updated_at=serializers.DateTimeField(allow_null=True),
    next_update_at=serializers.DateTimeField(allow_null=True),
    counts=CountsShape(),
    previous=serializers.URLField(allow_null=True, help_text="null on the first page."),
)


def row_of(row: Row, external_id: str | None) -> Answer:
    """A row, with the player's id in the game for whoever may see it."""
    return {
        "rank": row.rank,
        "movement": row.movement,
        "player": {"id": row.player_id, "name": row.name, "external_id": external_id},
        "rating": row.value,
        "deviation": row.deviation,
        "status": status_word(row.status),
        "points": row.points,
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "win_share": row.win_share,
        "leave_share": row.leave_share,
        "last_played_at": row.last_played_at,
        "listed": row.listed,
        "inactive": row.inactive,
    }
