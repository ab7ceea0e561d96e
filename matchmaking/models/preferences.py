"""Preferences: what a player's last search in a queue asked for, kept for the next one."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from matchmaking.models.queues import Queue
from ratings.models import Player


class Preference(models.Model):
    """A player's preferences for the next search in a queue; in a party also the own roles and character."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    queue = models.ForeignKey(
        Queue, verbose_name=_("queue"), on_delete=models.CASCADE, related_name="+"
    )
    wishes = models.JSONField(_("preferences for this search"), default=dict, blank=True)
    character = models.CharField(_("character"), max_length=60, blank=True)
    roles = models.JSONField(_("roles"), default=list, blank=True)

    class Meta:
        verbose_name = _("preference")
        verbose_name_plural = _("preferences")
        ordering = ["id"]
        constraints = [
            # Also the index by which the preferences of a party's members are read.
            models.UniqueConstraint(fields=["player", "queue"], name="preference_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.queue_id}"
