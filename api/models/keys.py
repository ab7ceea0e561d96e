"""Server keys: what a game's own servers sign in with."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from api.auth.scopes import SERVER_SCOPES
from api.models.holding import Held, constraints_of
from ratings.models import Game


class ServerKey(Held):
    """Lets a server act for one game and its players. Made in the admin or by `manage.py add_server_key`."""

    game = models.ForeignKey(
        Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="server_keys"
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
        constraints = constraints_of("server_key", SERVER_SCOPES)
