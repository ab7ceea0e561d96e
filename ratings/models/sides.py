"""What a side is worth: estimated from history now and then, never written by a match."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.models.tracks import RatingTrack


class SideEstimate(models.Model):
    """The worth of the first team's side on a track: over all maps, and on each."""

    track = models.ForeignKey(
        RatingTrack,
        verbose_name=_("rating track"),
        on_delete=models.CASCADE,
        related_name="sides",
        db_index=False,
    )
    map = models.CharField(_("map"), max_length=100, blank=True, help_text=_("Empty: over all."))
    points = models.FloatField(
        _("rating points"),
        help_text=_("Of each player of the first team; below 0 where its side is the worse one."),
    )
    games = models.PositiveBigIntegerField(_("matches"))
    rated_seq = models.BigIntegerField(_("from matches up to sequence number"))
    as_of = models.DateTimeField(_("as of"))

    class Meta:
        verbose_name = _("estimate of a side")
        verbose_name_plural = _("estimates of sides")
        ordering = ["track_id", "map"]
        constraints = [
            models.UniqueConstraint("track", "map", name="side_once_per_map"),
        ]

    def __str__(self) -> str:
        return f"{self.map or self.track}: {self.points:+.1f}"
