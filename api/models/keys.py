"""Server keys: what a game's own servers sign in with."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from api.auth.scopes import KEY_SCOPES, Scope
from api.models.holding import Held, constraints_of
from ratings.models import Game

__all__ = ["OF_ALL_GAMES", "ServerKey"]

OF_ALL_GAMES = _(
    "A key of all games has the scope “admin” and no other: choose a game, or that scope alone."
)


class ServerKey(Held):
    """Lets a server act for one game and its players. Made in the admin, by `manage.py add_server_key`, or by a key
    with the scope `admin`, with which it ends.
    """

    game = models.ForeignKey(
        Game,
        verbose_name=_("game"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="server_keys",
        help_text=_("Empty: all games, and those to come. Only for the scope “admin” alone."),
    )
    issued_by = models.ForeignKey(
        "self",
        verbose_name=_("created by the key"),
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="issued_keys",
        help_text=_("Empty: by a person, or a command."),
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        help_text=_("Empty for a command run on the server."),
    )

    class Meta:
        verbose_name = _("server key")
        verbose_name_plural = _("server keys")
        ordering = ["-id"]
        constraints = [
            *constraints_of("server_key", KEY_SCOPES),
            models.CheckConstraint(
                condition=Q(game__isnull=False) | Q(scopes=[Scope.ADMIN.value]),
                name="server_key_of_all_games_only_administers",
                violation_error_message=OF_ALL_GAMES,
            ),
            # Whoever has a key with it cannot make another one that outlives it.
            models.CheckConstraint(
                condition=Q(issued_by__isnull=True) | ~Q(scopes__contains=[Scope.ADMIN.value]),
                name="server_key_of_a_key_does_not_administer",
            ),
        ]
