"""Reports: what players say of a match before it is decided."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.models.matches import Match
from ratings.models.players import Player


class Outcome(models.TextChoices):
    """How a match went for the player who reports it."""

    WON = "won", _("won")
    DRAWN = "drawn", _("drawn")
    LOST = "lost", _("lost")
    NOT_PLAYED = "not_played", _("not played")


class Report(models.Model):
    """One player's word on a match. Reports that agree confirm it, reports that differ dispute it."""

    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        related_name="reports",
        db_index=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="reports",
    )
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome)
    left_early = models.BooleanField(
        _("left early"), default=False, help_text=_("The player who reports left before the end.")
    )
    at = models.DateTimeField(_("at"), db_default=TransactionNow())

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["id"]
        constraints = [
            # Also the index by which a match's reports are read.
            models.UniqueConstraint("match", "player", name="report_one_per_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} on {self.match_id}: {self.outcome}"
