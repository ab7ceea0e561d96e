"""The ledger: every change of a rating. Rows are only ever added; a trigger holds that in the database."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models.matches import Match
from ratings.models.players import Player
from ratings.models.ratings import Status
from ratings.models.tracks import RatingPeriod, RatingTrack


class ChangeKind(models.TextChoices):
    """Why a rating changed."""

    MATCH = "match", _("match")
    PERIOD = "period", _("rating period")
    IDLE = "idle", _("time without play")
    DECAY = "decay", _("decay")
    INFLATION = "inflation", _("inflation")
    SEASON = "season", _("season")
    MANUAL = "manual", _("by hand")


# What time takes from everybody, or gives, on a date.
DRIFT_KINDS = (ChangeKind.DECAY, ChangeKind.INFLATION)


class RatingChange(models.Model):
    """One change: by one match on an instant track, by all games of one period on a track with periods, or by time.

    `value_before` and `deviation_before` are what the calculation used: the deviation has grown by the time since.
    `status_before` is that of the rating then; None where it was not kept.
    """

    # Rating and period are checked for all rows of a statement together (see the migration): four foreign keys
    # took half the time of closing a large period, row by row.
    track = models.ForeignKey(
        RatingTrack,
        verbose_name=_("rating track"),
        on_delete=models.CASCADE,
        related_name="changes",
        db_index=False,
        db_constraint=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="changes",
        db_index=False,
        db_constraint=False,
    )
    facet = models.CharField(
        _("map or character"), max_length=100, blank=True, default="", db_default=""
    )
    kind = models.CharField(_("kind"), max_length=10, choices=ChangeKind)
    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        null=True,
        related_name="changes",
        db_index=False,
    )
    period = models.ForeignKey(
        RatingPeriod,
        verbose_name=_("rating period"),
        on_delete=models.CASCADE,
        null=True,
        related_name="changes",
        db_index=False,
        db_constraint=False,
    )
    at = models.DateTimeField(
        _("at"), help_text=_("When the match counted, the end of the period, or the date.")
    )
    games = models.PositiveIntegerField(_("games"), default=1)
    expected = models.FloatField(_("expected score"), null=True, help_text=_("Sum over the games."))
    actual = models.FloatField(_("actual score"), null=True, help_text=_("Sum over the games."))
    weight = models.FloatField(
        _("weight"), null=True, help_text=_("Points per unit of surprise: K or its equivalent.")
    )
    # What single games of a period added follows from it: see `PeriodSystem.explain_games`.
    worth = models.FloatField(
        _("worth of a surprise"),
        null=True,
        help_text=_(
            "Points that a full surprise against a well-known opponent is worth, in each game of the period."
        ),
    )
    value_before = models.FloatField(_("rating before"))
    value_after = models.FloatField(_("rating after"))
    deviation_before = models.FloatField(_("deviation before"), null=True)
    deviation_after = models.FloatField(_("deviation after"), null=True)
    volatility_before = models.FloatField(_("volatility before"), null=True)
    volatility_after = models.FloatField(_("volatility after"), null=True)

    status_before = models.PositiveSmallIntegerField(_("status"), choices=Status, null=True)

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("ledger")
        ordering = ["id"]
        constraints = [
            # Nothing is rated twice, whatever runs at once. Also: all changes of a match, of a period.
            models.UniqueConstraint(
                "track",
                "match",
                "player",
                condition=Q(match__isnull=False),
                name="change_once_per_match",
            ),
            models.UniqueConstraint(
                "track",
                "period",
                "player",
                "facet",
                condition=Q(period__isnull=False),
                name="change_once_per_period",
            ),
            models.UniqueConstraint(
                "track",
                "player",
                "facet",
                "at",
                condition=Q(kind__in=DRIFT_KINDS),
                name="change_once_per_drift",
            ),
            models.CheckConstraint(
                condition=Q(kind=ChangeKind.MATCH, match__isnull=False, period__isnull=True)
                | Q(kind=ChangeKind.PERIOD, match__isnull=True, period__isnull=False)
                | (
                    ~Q(kind__in=[ChangeKind.MATCH, ChangeKind.PERIOD])
                    & Q(match__isnull=True, period__isnull=True)
                ),
                name="change_has_its_cause",
            ),
        ]
        indexes = [
            # A player's history on a track, for the chart and the profile.
            models.Index(fields=["track", "player", "id"], name="change_history"),
        ]

    def __str__(self) -> str:
        return f"{self.value_before:.1f} → {self.value_after:.1f}"
