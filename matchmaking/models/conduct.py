"""Conduct: how much a player has offended lately. Who has no row has a clean record."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from foundation.timekeeping import Begun
from ratings.models import Player


class Conduct(models.Model):
    """The conduct score of a player at a moment; it fades from then on."""

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="conduct",
    )
    score = models.FloatField(
        _("score"), default=0.0, help_text=_("0 is a clean record; offences add to it.")
    )
    as_of = models.DateTimeField(
        _("as of"),
        db_default=TransactionNow(),
        help_text=_(
            "The score fades from this moment on, by half in the half-life of the game's rules of conduct."
        ),
    )

    # After a clock that ran ahead.
    begins_anew = (Begun("as_of"),)

    class Meta:
        verbose_name = _("conduct score")
        verbose_name_plural = _("conduct scores")
        ordering = ["player_id"]
        constraints = [
            models.CheckConstraint(condition=Q(score__gte=0), name="conduct_not_negative"),
        ]
        indexes = [
            # The operator's list: who has offended most.
            models.Index(fields=["-score", "player"], name="conduct_highest"),
        ]

    def __str__(self) -> str:
        return str(self.player)  # no score: a form that is refused has put its own in here
