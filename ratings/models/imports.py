"""Imported files."""

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models.ladders import Ladder


class ImportedFile(models.Model):
    """One file of matches that was taken in whole."""

    ladder = models.ForeignKey(
        Ladder, verbose_name=_("ladder"), on_delete=models.PROTECT, related_name="imports"
    )
    name = models.CharField(_("file name"), max_length=255)
    digest = models.CharField(_("SHA-256"), max_length=64)
    rows = models.PositiveBigIntegerField(_("rows"))
    new_matches = models.PositiveBigIntegerField(_("new matches"))
    imported_at = models.DateTimeField(_("imported"), db_default=TransactionNow())
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
    )

    taken_back_at = models.DateTimeField(_("taken back"), null=True, editable=False)
    taken_back_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("taken back by"),
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
    )
    taken_back_note = models.TextField(_("why"), blank=True, db_default="", editable=False)

    class Meta:
        verbose_name = _("imported file")
        verbose_name_plural = _("imported files")
        ordering = ["-id"]
        constraints = [
            # The same file again changes nothing, unless it was taken back.
            models.UniqueConstraint(
                "ladder",
                "digest",
                condition=Q(taken_back_at__isnull=True),
                name="import_counts_once_per_ladder",
            ),
            models.CheckConstraint(
                condition=Q(taken_back_at__isnull=False)
                | Q(taken_back_by__isnull=True, taken_back_note=""),
                name="import_taken_back_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return self.name
