"""Players."""

from typing import Any

from rest_framework import serializers

from api.auth.callers import Caller
from api.serializers.games import Answer
from ratings.models import Player, PlayerKind

__all__ = ["PlayerRefShape", "PlayerShape", "knows_ids", "player_of", "ref_of"]


class PlayerRefShape(serializers.Serializer[Any]):
    """A player, named in something else."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    external_id = serializers.CharField(
        allow_null=True, help_text="The id in the game; null for whoever is no server of the game."
    )


class PlayerShape(PlayerRefShape):
    """A player of a game."""

    game = serializers.CharField(help_text="Short name of the game.")
    simulated = serializers.BooleanField(help_text="The game's players are computer-made.")
    kind = serializers.ChoiceField(choices=PlayerKind.values)
    claimed = serializers.BooleanField(help_text="Whether an account of this site stands behind.")
    looks_alike = serializers.BooleanField(
        help_text="Another player of the game has a name that looks like this one."
    )
    created_at = serializers.DateTimeField()
    url = serializers.URLField(help_text="The player's page for people.")


def ref_of(player: Player, caller: Caller) -> Answer:
    """A player, named in something else."""
    shown = player.external_id if knows_ids(caller, player.game_id) else None
    return {"id": player.pk, "name": player.name, "external_id": shown}


def player_of(player: Player, caller: Caller, url: str) -> Answer:
    """A player, whose game was read with it."""
    return {
        **ref_of(player, caller),
        "game": player.game.slug,
        "simulated": player.game.simulated,
        "kind": player.kind,
        "claimed": player.user_id is not None,
        "looks_alike": player.looks_alike,
        "created_at": player.created_at,
        "url": url,
    }


def knows_ids(caller: Caller, game_id: int) -> bool:
    """Whether the caller may see the game's own ids: they may say more of a person than a name does."""
    return caller.serves(game_id)
