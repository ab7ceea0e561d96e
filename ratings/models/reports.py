"""Reports: what players say of a match before it is decided, and to whoever decides it."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from ratings.models.matches import Match
from ratings.models.players import Player

LONGEST_COMMENT, LONGEST_PROOF = 1000, 500


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
    place = models.PositiveSmallIntegerField(
        _("place"),
        null=True,
        blank=True,
        help_text=_("Of the player's team in a match of more than two; 1 is the best."),
    )
    at = models.DateTimeField(_("at"), db_default=TransactionNow())
    overruled = models.BooleanField(
        _("overruled"),
        default=False,
        db_default=False,
        editable=False,
        help_text=_(
            "The match was disputed, and whoever decided it gave the player less than this claims."
        ),
    )

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["id"]
        constraints = [
            # Also the index by which a match's reports are read.
            models.UniqueConstraint("match", "player", name="report_one_per_player"),
            models.CheckConstraint(
                condition=Q(place__isnull=True)
                | Q(place=1, outcome=Outcome.WON)
                | Q(place__range=(2, 100), outcome=Outcome.LOST)
                | Q(place__range=(1, 100), outcome=Outcome.DRAWN),
                name="report_place_and_outcome_agree",
            ),
        ]
        indexes = [
            # How often a player was decided against: rarely, however many reports there are.
            models.Index(fields=["player"], name="report_overruled", condition=Q(overruled=True)),
        ]

    def __str__(self) -> str:
        return str(self.player)


class Statement(models.Model):
    """What a player adds to a dispute for the operator who decides it. Nobody else sees it."""

    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        related_name="statements",
        db_index=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="statements",
    )
    comment = models.TextField(_("comment"), blank=True, db_default="", max_length=LONGEST_COMMENT)
    proof = models.CharField(
        _("link to proof"),
        blank=True,
        db_default="",
        max_length=LONGEST_PROOF,
        help_text=_("A recording, a screenshot or the page of the game: http or https."),
    )
    called_at = models.DateTimeField(
        _("admin called"),
        null=True,
        blank=True,
        help_text=_("Since when the player has been waiting for an admin."),
    )
    at = models.DateTimeField(_("at"), db_default=TransactionNow())

    class Meta:
        verbose_name = _("statement")
        verbose_name_plural = _("statements")
        ordering = ["id"]
        constraints = [
            # Also the index by which a match's statements are read.
            models.UniqueConstraint("match", "player", name="statement_one_per_player"),
            # Whoever decides follows the link: nothing but an address of the web may stand there.
            models.CheckConstraint(
                condition=Q(proof="") | Q(proof__regex=r"^https?://[^[:space:][:cntrl:]]+$"),
                name="statement_proof_is_of_the_web",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("comment"), Value(LONGEST_COMMENT)),
                name="statement_comment_is_short",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} on {self.match_id}"
