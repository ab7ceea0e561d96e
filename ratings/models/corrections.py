"""Corrections of results: what a confirmed match said before. Rows are only ever added."""

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from ratings.models.matches import Match, Participant

__all__ = ["LONGEST_CORRECTION_REASON", "Correction", "EarlierResult"]

LONGEST_CORRECTION_REASON = 1000


class Correction(models.Model):
    """One correction of a match. The match itself says the corrected result, `earlier` what it said before."""

    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        related_name="corrections",
        db_index=False,
    )
    number = models.PositiveIntegerField(_("number"), help_text=_("Of this match, from 1."))
    reason = models.TextField(
        _("reason"),
        validators=[MaxLengthValidator(LONGEST_CORRECTION_REASON)],
        help_text=_("Shown on the match's page."),
    )
    at = models.DateTimeField(_("at"), db_default=TransactionNow(), editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
    )
    server_key = models.BigIntegerField(
        _("server key"),
        null=True,
        editable=False,
        help_text=_("Number of the key whose server corrected it. Empty: an operator did."),
    )

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        ordering = ["match_id", "number"]
        constraints = [
            # Of two who correct the same at once only one can be next. Also the index by which they are read.
            models.UniqueConstraint("match", "number", name="correction_number_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="correction_number_from_one"),
            models.CheckConstraint(condition=~Q(reason=""), name="correction_has_a_reason"),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("reason"), Value(LONGEST_CORRECTION_REASON)),
                name="correction_reason_is_short",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} · {self._meta.verbose_name} {self.number}"


class EarlierResult(models.Model):
    """What a match said of one participant before a correction. Who played, and in which team, is not corrected."""

    correction = models.ForeignKey(
        Correction,
        verbose_name=_("correction"),
        on_delete=models.CASCADE,
        related_name="earlier",
        db_index=False,
    )
    participant = models.ForeignKey(
        Participant,
        verbose_name=_("participant"),
        on_delete=models.CASCADE,
        related_name="earlier",
    )
    rank = models.PositiveSmallIntegerField(
        _("rank of the team"), help_text=_("0 is best; equal ranks are a draw.")
    )
    score = models.FloatField(_("score in the game"), null=True)
    minutes = models.FloatField(_("minutes played"), null=True)

    class Meta:
        verbose_name = _("earlier result")
        verbose_name_plural = _("earlier results")
        ordering = ["correction_id", "participant_id"]
        constraints = [
            models.UniqueConstraint(
                "correction", "participant", name="earlier_result_once_per_participant"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participant}: {self.rank}"
