"""Alerts: who wants to be told that somebody searches in a queue, and of which searches was told."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from foundation.timekeeping import Begun
from matchmaking.models.queues import Queue
from matchmaking.models.tickets import Ticket
from matchmaking.pairing.nearness import Nearness
from ratings.models import Player

__all__ = ["NEARNESS_WORDS", "AlertWish", "SearchTold"]


# How near the strength of somebody who searches is to be, for people.
NEARNESS_WORDS = {
    Nearness.CLOSE.value: _("close to mine"),
    Nearness.RATHER_CLOSE.value: _("rather close to mine"),
    Nearness.ANYBODY.value: _("whatever it is"),
}


class AlertWish(models.Model):
    """A player who wants to be told that somebody searches in a queue. Whoever switches it off leaves no row."""

    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="+", db_index=False
    )
    queue = models.ForeignKey(
        Queue, verbose_name=_("queue"), on_delete=models.CASCADE, related_name="+", db_index=False
    )
    near = models.CharField(_("how near"), max_length=20, choices=list(NEARNESS_WORDS.items()))
    until = models.DateTimeField(
        _("until"), null=True, blank=True, help_text=_("Empty: until it is switched off.")
    )
    created_at = models.DateTimeField(_("since"), db_default=TransactionNow())
    told_at = models.DateTimeField(_("told last"), null=True, blank=True)

    # After a clock that ran ahead.
    begins_anew = (Begun("told_at"),)

    class Meta:
        verbose_name = _("wish for alerts")
        verbose_name_plural = _("wishes for alerts")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["player", "queue"], name="alert_wish_once_in_a_queue"),
            models.CheckConstraint(
                condition=Q(near__in=list(NEARNESS_WORDS)), name="alert_wish_near"
            ),
        ]
        indexes = [
            # Whom to tell: who was not told for longest first.
            models.Index(
                F("queue"), F("told_at").asc(nulls_first=True), F("id"), name="alert_wish_turn"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.queue_id}"


class SearchTold(models.Model):
    """A search of which others were told, and when last: so that two workers do not tell of it twice."""

    ticket = models.OneToOneField(
        Ticket,
        verbose_name=_("ticket"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="told",
    )
    told_at = models.DateTimeField(_("told last"))

    class Meta:
        verbose_name = _("search that was told of")
        verbose_name_plural = _("searches that were told of")
        ordering = ["ticket_id"]

    def __str__(self) -> str:
        return str(self.ticket_id)
