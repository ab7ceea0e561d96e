"""What was counted of the log of a match that is over, for statistics: rows of pairs and weapons instead of events.

Players stand as their server has named them: for whom somebody merged counts is asked when this is read, as of events.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models.logs import MatchLog
from ratings.models.players import Player


class LogDuel(models.Model):
    """How often one player has fragged another in a match; only frags that are rated."""

    pk = models.CompositePrimaryKey("log_id", "player_id", "victim_id")
    log = models.ForeignKey(
        MatchLog,
        verbose_name=_("log of a match"),
        on_delete=models.CASCADE,
        related_name="duels",
        db_index=False,
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="+"
    )
    victim = models.ForeignKey(
        Player, verbose_name=_("victim"), on_delete=models.PROTECT, related_name="+"
    )
    frags = models.IntegerField(_("frags"))

    class Meta:
        verbose_name = _("frags of a pair")
        verbose_name_plural = _("frags of pairs")
        constraints = [
            models.CheckConstraint(condition=Q(frags__gte=1), name="log_duel_frags"),
        ]

    def __str__(self) -> str:
        return str(self.frags)


class LogWeapon(models.Model):
    """How many frags a player has made with a weapon in a match; empty: the server named none."""

    pk = models.CompositePrimaryKey("log_id", "player_id", "weapon")
    log = models.ForeignKey(
        MatchLog,
        verbose_name=_("log of a match"),
        on_delete=models.CASCADE,
        related_name="weapons",
        db_index=False,
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="+"
    )
    weapon = models.CharField(_("weapon"), max_length=60, blank=True)
    frags = models.IntegerField(_("frags"))

    class Meta:
        verbose_name = _("frags with a weapon")
        verbose_name_plural = _("frags with weapons")
        constraints = [
            models.CheckConstraint(condition=Q(frags__gte=1), name="log_weapon_frags"),
        ]

    def __str__(self) -> str:
        return f"{self.weapon}: {self.frags}"
