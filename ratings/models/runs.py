"""Rating runs that are under way."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.models.tracks import RatingTrack


class RatingRun(models.Model):
    """Who rates a track right now: at most one row a track, gone when the run ends.

    Keeps others from computing the same for nothing, and tells them when to end a run that has stopped. That no
    match is rated twice does not rest on it.
    """

    track = models.OneToOneField(
        RatingTrack,
        verbose_name=_("rating track"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="run",
    )
    # Together they name a database session: numbers alone are used again.
    backend = models.IntegerField(_("database session"))
    backend_started_at = models.DateTimeField(_("session started"))
    # When the run took its lease, by the clock of the database; the column keeps the word of the tables of leases.
    claimed_at = models.DateTimeField(_("claimed"))
    deadline = models.DateTimeField(
        _("deadline"), help_text=_("Moved on at each step. After it others may take over.")
    )

    class Meta:
        verbose_name = _("rating run under way")
        verbose_name_plural = _("rating runs under way")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
