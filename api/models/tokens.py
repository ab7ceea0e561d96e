"""Player tokens: what a game client, or a player's own program, signs in with."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from api.auth.scopes import PLAYER_SCOPES
from api.models.holding import Held, constraints_of
from api.models.keys import ServerKey
from ratings.models import Player


class PlayerToken(Held):
    """Lets a program act as one player. Made by the player, or by a server of the game for a short time."""

    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="tokens"
    )
    issued_by = models.ForeignKey(
        ServerKey,
        verbose_name=_("created by the server"),
        on_delete=models.CASCADE,
        null=True,
        editable=False,
        related_name="issued",
        help_text=_("Empty: by the player."),
    )

    class Meta:
        verbose_name = _("player token")
        verbose_name_plural = _("player tokens")
        ordering = ["-id"]
        constraints = [
            *constraints_of("player_token", PLAYER_SCOPES),
            models.CheckConstraint(
                condition=models.Q(issued_by__isnull=True) | models.Q(expires_at__isnull=False),
                name="player_token_of_a_server_expires",
            ),
        ]
        indexes = [
            # Tokens that ended long ago and are deleted.
            models.Index(
                fields=["expires_at"],
                name="player_token_expiry",
                condition=models.Q(expires_at__isnull=False),
            ),
        ]
