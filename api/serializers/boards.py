"""Leaderboards."""

from rest_framework import serializers

from api.contract.pages import page_shape
from api.contract.shapes import Answer, Shape
from api.serializers.games import CountsShape
from api.serializers.players import PlayerRefShape
from api.serializers.words import StatusField
from leaderboards.boards.ranking import Row
from ratings.models.tracks import BoardBy

__all__ = ["BoardShape"]


class RowShape(Shape):
    """A player on a leaderboard. Players with equal ratings share a rank."""

    rank = serializers.IntegerField()
    movement = serializers.IntegerField(
        allow_null=True, help_text="Places gained since the last comparison; null: not listed then."
    )
    player = PlayerRefShape()
    clan_tag = serializers.CharField(help_text="Of the player's clan; empty: in none.")
    rating = serializers.FloatField(source="value")
    conservative = serializers.FloatField(
        allow_null=True,
        help_text="What the board is ordered by: `rating` less `ordered_by_deviations` times the deviation as of the "
        "last match or period; null where it is ordered by `rating`.",
    )
    deviation = serializers.FloatField(
        allow_null=True, help_text="As of now; null where the system has none."
    )
    status = StatusField()
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

    def get_player(self, row: Row) -> Answer:
        """A row has the name only; ids in the game are read for all rows at once, for servers of the game."""
        shown = self.context["external_ids"].get(row.player_id)
        return {"id": row.player_id, "name": row.name, "external_id": shown}


BoardShape = page_shape(
    "BoardShape",
    RowShape,
    ladder=serializers.CharField(help_text="Short name of the ladder."),
    simulated=serializers.BooleanField(help_text="The game's players are computer-made."),
    ordered_by=serializers.ChoiceField(
        choices=BoardBy.values, help_text="`conservative`: by `conservative` of each player."
    ),
    ordered_by_deviations=serializers.FloatField(help_text="0 where it is ordered by `rating`."),
    updated_at=serializers.DateTimeField(allow_null=True),
    next_update_at=serializers.DateTimeField(allow_null=True),
    counts=CountsShape(),
    previous=serializers.URLField(allow_null=True, help_text="null on the first page."),
)
