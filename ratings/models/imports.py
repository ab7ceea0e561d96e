"""Imported files."""

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.db import models
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

    class Meta:
        verbose_name = _("imported file")
        verbose_name_plural = _("imported files")
        ordering = ["-id"]
        constraints = [
            # The same file again changes nothing.
            models.UniqueConstraint("ladder", "digest", name="import_once_per_ladder"),
        ]

    def __str__(self) -> str:
        return self.name
