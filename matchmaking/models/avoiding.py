"""Avoid lists: players one would rather not meet."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Player


class Avoided(models.Model):
    """One player on another's avoid list. Nobody but the owner of the list sees it."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="avoids",
        db_index=False,
    )
    avoided = models.ForeignKey(
        Player, verbose_name=_("avoided player"), on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(_("added"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("avoided player")
        verbose_name_plural = _("avoided players")
        ordering = ["id"]
        constraints = [
            # Also the index by which a player's list is read.
            models.UniqueConstraint("player", "avoided", name="avoided_once"),
            models.CheckConstraint(
                condition=~Q(player=F("avoided")), name="avoided_is_somebody_else"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} avoids {self.avoided_id}"
