"""Players."""

from rest_framework import serializers

from api.contract.shapes import Shape
from ratings.models import Player, PlayerKind

__all__ = ["PlayerRefShape", "PlayerShape"]


class PlayerRefShape(Shape):
    """A player, named in something else."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    external_id = serializers.CharField(
        allow_null=True, help_text="The id in the game; null for whoever is no server of the game."
    )

    def get_external_id(self, player: Player) -> str | None:
        """The game's own ids are for its servers: they may say more of a person than a name does."""
        return player.external_id if self._caller.serves(player.game_id) else None


class PlayerShape(PlayerRefShape):
    """A player of a game."""

    game = serializers.CharField(source="game.slug", help_text="Short name of the game.")
    simulated = serializers.BooleanField(
        source="game.simulated", help_text="The game's players are computer-made."
    )
    kind = serializers.ChoiceField(choices=PlayerKind.values)
    claimed = serializers.BooleanField(help_text="Whether an account of this site stands behind.")
    looks_alike = serializers.BooleanField(
        help_text="Another player of the game has a name that looks like this one."
    )
    clan_tag = serializers.CharField(
        help_text="The tag of its clan, to stand beside the name; empty: in no clan."
    )
    created_at = serializers.DateTimeField()
    url = serializers.URLField(help_text="The player's page for people.")

    def get_claimed(self, player: Player) -> bool:
        return player.user_id is not None

    def get_url(self, player: Player) -> str:
        return self._url_of(player)
