"""Player tokens."""

from typing import Any

from rest_framework import serializers

from api.auth.scopes import PLAYER_SCOPE_NAMES
from api.models import PlayerToken
from api.serializers.games import Answer

__all__ = ["TokenShape", "token_of"]


class TokenShape(serializers.Serializer[Any]):
    """A new token. Its secret is shown this once."""

    token = serializers.CharField(help_text="`em_ply_…`. Keep it; it is not shown again.")
    player = serializers.IntegerField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=PLAYER_SCOPE_NAMES))
    expires_at = serializers.DateTimeField()


def token_of(token: PlayerToken, secret: str) -> Answer:
    """A new token with its secret."""
    return {
        "token": secret,
        "player": token.player_id,
        "scopes": token.scopes,
        "expires_at": token.expires_at,
    }
