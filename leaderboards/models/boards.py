"""Boards: how far a track's standings have followed its ratings, and counts that make ranks fast."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ratings.models import RatingTrack
from ratings.models.tracks import BoardBy, public
from ratings.tracks.board_order import deviations_of


class BoardQuerySet(models.QuerySet["Board"]):
    """Reading boards."""

    def public(self) -> "BoardQuerySet":
        """Boards that may be shown. Only tracks that rate players as a whole have one."""
        return self.filter(public("track__"))


class Board(models.Model):
    """The leaderboard of one track: how far it has followed the ratings, and what movement is counted from."""

    track = models.OneToOneField(
        RatingTrack,
        verbose_name=_("rating track"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="board",
    )
    revision = models.BigIntegerField(_("revision"), default=0)
    updated_at = models.DateTimeField(_("updated"), null=True)
    compared_to = models.DateTimeField(
        _("compared to"), null=True, help_text=_("Movement and points are counted since then.")
    )
    compared_period = models.BigIntegerField(
        _("compared period"), default=0, help_text=_("Closed periods when the comparison was made.")
    )
    judged_to = models.DateTimeField(
        _("judged up to"),
        null=True,
        help_text=_(
            "Whoever is inactive by then is hidden. If it has not come yet, all are judged anew."
        ),
    )
    # A power of two, so that dividing and multiplying by it is exact and no value falls beside its bucket.
    bucket_width = models.FloatField(_("bucket width"), default=1.0)
    # By what the players listed were chosen. Where the ladder or its track says otherwise, all are chosen anew.
    rule_version = models.PositiveIntegerField(_("by parameter version"), default=0)
    rule_inactive_after_days = models.FloatField(_("by days until inactive"), null=True)
    rule_lists_provisional = models.BooleanField(_("by listing provisional players"), default=False)

    rule_board_by = models.CharField(
        _("ordered by"),
        max_length=12,
        choices=BoardBy,
        default=BoardBy.RATING,
        db_default=BoardBy.RATING,
    )

    objects = BoardQuerySet.as_manager()

    class Meta:
        verbose_name = _("leaderboard")
        verbose_name_plural = _("leaderboards")
        constraints = [
            models.CheckConstraint(condition=Q(bucket_width__gt=0), name="board_bucket_width")
        ]

    def __str__(self) -> str:
        return str(self.track)

    @property
    def deviations(self) -> float:
        """How many deviations below the rating its order is, as it is written; 0: by the rating. Reads the track."""
        return deviations_of(self.track, self.rule_board_by)


class RankBucket(models.Model):
    """How many standings fall in one step of rating: the rank of a player is a sum over few rows."""

    track = models.ForeignKey(
        RatingTrack,
        verbose_name=_("rating track"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    bucket = models.IntegerField(
        _("bucket"), help_text=_("Rating divided by the bucket width, rounded down.")
    )
    listed = models.PositiveBigIntegerField(_("listed"))
    inactive = models.PositiveBigIntegerField(_("hidden as inactive"))
    total = models.PositiveBigIntegerField(_("all"))

    class Meta:
        verbose_name = _("rank bucket")
        verbose_name_plural = _("rank buckets")
        constraints = [
            # Also the index by which the buckets above a value are summed.
            models.UniqueConstraint("track", "bucket", name="bucket_unique"),
            models.CheckConstraint(
                condition=Q(total__gte=F("listed") + F("inactive")),
                name="bucket_parts_within_total",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bucket}: {self.listed}"
