"""Reports: what a player says of how another one plays or behaves."""

from datetime import datetime
from typing import Any

from django.contrib.postgres.functions import TransactionNow
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from ratings.models import Match, Player

__all__ = ["LONGEST_REPORT", "NEEDS_MATCH", "PlayerReport", "ReportKind"]

LONGEST_REPORT = 1000


class ReportKind(models.TextChoices):
    """What it is about. The first three say in which match."""

    LEFT = "left", _("left the match")
    BAD_MANNERS = "bad_manners", _("bad manners")
    CHEATING = "cheating", _("cheating")
    NAME = "name", _("the player's name")
    CHAT = "chat", _("what the player wrote")
    OTHER = "other", _("something else")


NEEDS_MATCH = (ReportKind.LEFT, ReportKind.BAD_MANNERS, ReportKind.CHEATING)


class PlayerReport(models.Model):
    """One player's report of another. Moderators see who reported, the reported never does."""

    reporter = models.ForeignKey(
        Player,
        verbose_name=_("reported by"),
        on_delete=models.PROTECT,
        related_name="reports_made",
        editable=False,
    )
    reported = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="reports_received",
        editable=False,
    )
    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        null=True,
        related_name="player_reports",
        editable=False,
    )
    kind = models.CharField(_("about"), max_length=12, choices=ReportKind, editable=False)
    text = models.TextField(
        _("text"),
        blank=True,
        db_default="",
        editable=False,
        validators=[MaxLengthValidator(LONGEST_REPORT)],
    )
    lines = models.JSONField(
        _("lines"),
        default=list,
        db_default=[],
        editable=False,
        help_text=_("What was written around then, as the site has kept it: not as anybody says."),
    )
    at = models.DateTimeField(_("at"), db_default=TransactionNow(), editable=False)
    closed_at = models.DateTimeField(_("decided"), null=True, editable=False)

    class Meta:
        verbose_name = _("report of a player")
        verbose_name_plural = _("reports of players")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["reporter", "reported", "match"],
                condition=Q(closed_at__isnull=True),
                nulls_distinct=False,
                name="player_report_one_open",
            ),
            models.CheckConstraint(
                condition=~Q(reporter=F("reported")), name="player_report_of_another"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=ReportKind.values), name="player_report_about_something"
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=NEEDS_MATCH) | Q(match__isnull=False),
                name="player_report_names_its_match",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("text"), Value(LONGEST_REPORT)),
                name="player_report_is_short",
            ),
        ]
        indexes = [
            # How many somebody has made lately.
            models.Index(fields=["reporter", "-at"], name="player_report_by"),
        ]

    def __str__(self) -> str:
        return f"{self.reported}: {self.get_kind_display()}"

    @property
    def said(self) -> list[dict[str, Any]]:
        """The lines with their times as moments."""
        return [{**line, "at": datetime.fromisoformat(line["at"])} for line in self.lines]
