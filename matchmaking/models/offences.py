"""Offences against good conduct, where they leave a player, who has lost the connection, and appeals."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from foundation.timekeeping import Begun
from ratings.models import Match, Player


class OffenceKind(models.TextChoices):
    """What somebody has done."""

    LEFT = "left", _("left a match")
    DECLINED = "declined", _("declined a match")
    SILENT = "silent", _("did not answer an offered match")
    MISSED = "missed", _("missed an appointment")
    REPORTED = "reported", _("reported by another player")
    MANNERS = "manners", _("bad manners, confirmed by a moderator")


class Offence(models.Model):
    """One offence of a player. Rows are only added; one can be taken back, once and for good."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="offences",
        db_index=False,
    )
    kind = models.CharField(_("kind"), max_length=10, choices=OffenceKind)
    points = models.FloatField(_("points"), help_text=_("What it counted when it happened."))
    at = models.DateTimeField(_("when"), db_default=TransactionNow())
    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.SET_NULL,
        related_name="offences",
        null=True,
        blank=True,
    )
    # A number only: offers that came to nothing are forgotten after some weeks, the offence may count longer.
    offer = models.BigIntegerField(_("offer"), null=True, blank=True, editable=False)
    # A number, too: challenges are of an app above.
    challenge = models.BigIntegerField(_("challenge"), null=True, blank=True, editable=False)
    reporter = models.ForeignKey(
        Player,
        verbose_name=_("reported by"),
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
    )
    decided_by = models.ForeignKey(
        User,
        verbose_name=_("decided by"),
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
    )
    reason = models.TextField(_("reason"), max_length=500, blank=True, db_default="")
    cools_until = models.DateTimeField(_("cooled off until"), null=True, blank=True)
    taken_back_at = models.DateTimeField(_("taken back"), null=True, blank=True)
    taken_back_by = models.ForeignKey(
        User,
        verbose_name=_("taken back by"),
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
    )
    taken_back_because = models.TextField(
        _("why it was taken back"), max_length=500, blank=True, db_default=""
    )

    # After a clock that ran ahead.
    begins_anew = (Begun("at", beside=("cools_until",), only=Q(taken_back_at=None)),)

    class Meta:
        verbose_name = _("offence")
        verbose_name_plural = _("offences")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(points__gte=0, points__lte=100), name="offence_points"
            ),
            # A match, an offer and a reporter count once each, however often they are judged.
            models.UniqueConstraint(
                "player", "match", condition=Q(kind=OffenceKind.LEFT), name="offence_left_once"
            ),
            models.UniqueConstraint(
                "player",
                "offer",
                condition=Q(kind__in=[OffenceKind.DECLINED, OffenceKind.SILENT]),
                name="offence_offer_once",
            ),
            models.UniqueConstraint(
                "player",
                "challenge",
                condition=Q(kind=OffenceKind.MISSED),
                name="offence_missed_once",
            ),
            models.UniqueConstraint(
                "player",
                "match",
                "reporter",
                condition=Q(kind=OffenceKind.REPORTED),
                name="offence_report_once",
            ),
            models.CheckConstraint(
                condition=Q(taken_back_at__isnull=False)
                | Q(taken_back_by__isnull=True, taken_back_because=""),
                name="offence_taken_back_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(reporter__isnull=True) | Q(kind=OffenceKind.REPORTED),
                name="offence_reporter_reports",
            ),
            models.CheckConstraint(
                condition=Q(cools_until__isnull=True) | Q(cools_until__gt=F("at")),
                name="offence_cools_later",
            ),
        ]
        indexes = [
            # What a player has done, the latest first.
            models.Index(fields=["player", "-at"], name="offence_of_player"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} #{self.pk}"


class ConductStanding(models.Model):
    """Where the offences of a player leave it: their points at a moment, and until when it cools off.

    Always what the offences say: it is reckoned anew from them whenever one is added or taken back.
    """

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="conduct_standing",
    )
    score = models.FloatField(_("points"), default=0.0, db_default=0.0)
    as_of = models.DateTimeField(_("as of"), db_default=TransactionNow())
    cooling_until = models.DateTimeField(_("cools off until"), null=True, blank=True)

    # After a clock that ran ahead.
    begins_anew = (Begun("as_of", beside=("cooling_until",)),)

    class Meta:
        verbose_name = _("standing in conduct")
        verbose_name_plural = _("standings in conduct")
        ordering = ["player_id"]
        constraints = [
            models.CheckConstraint(condition=Q(score__gte=0), name="conduct_standing_not_negative"),
        ]
        indexes = [
            # Who cools off just now.
            models.Index(
                fields=["cooling_until"],
                name="conduct_cooling",
                condition=Q(cooling_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.player)


class Teller(models.TextChoices):
    """Whose word it is."""

    PLAYER = "player", _("the player")
    SERVER = "server", _("the game's server")


class Absence(models.Model):
    """A player who has lost the connection to a running match, and may come back for some time."""

    match = models.ForeignKey(
        Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="absences"
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="absences",
        db_index=False,
    )
    told_by = models.CharField(_("told by"), max_length=6, choices=Teller)
    away_at = models.DateTimeField(_("away since"), db_default=TransactionNow())
    until = models.DateTimeField(_("may come back until"))
    back_at = models.DateTimeField(_("back"), null=True, blank=True)
    judged_at = models.DateTimeField(_("judged"), null=True, blank=True)

    # After a clock that ran ahead.
    begins_anew = (Begun("away_at", beside=("until",), only=Q(back_at=None, judged_at=None)),)

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(until__gte=F("away_at")), name="absence_ends_after_it_began"
            ),
            # Who is away is away once; and nobody comes back after the time for it.
            models.UniqueConstraint(
                "player",
                "match",
                condition=Q(back_at__isnull=True),
                name="absence_one_open",
            ),
            models.CheckConstraint(
                condition=Q(back_at__isnull=True) | Q(back_at__lte=F("until")),
                name="absence_back_in_time",
            ),
        ]
        indexes = [
            # Those whose time is over.
            models.Index(
                fields=["until"],
                name="absence_due",
                condition=Q(back_at__isnull=True, judged_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} #{self.match_id}"


class AppealState(models.TextChoices):
    """Where an appeal is in its life."""

    OPEN = "open", _("waiting for a decision")
    UPHELD = "upheld", _("the offence stands")
    TAKEN_BACK = "taken_back", _("the offence was taken back")


class OffenceAppeal(models.Model):
    """What a player has to say against an offence. One for each, decided once."""

    offence = models.OneToOneField(
        Offence, verbose_name=_("offence"), on_delete=models.CASCADE, related_name="appeal"
    )
    text = models.TextField(_("appeal"), max_length=1000)
    state = models.CharField(
        _("state"), max_length=10, choices=AppealState, default=AppealState.OPEN
    )
    made_at = models.DateTimeField(_("made"), db_default=TransactionNow())
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    decided_by = models.ForeignKey(
        User,
        verbose_name=_("decided by"),
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
    )
    reason = models.TextField(_("reason"), max_length=500, blank=True, db_default="")

    class Meta:
        db_table = "matchmaking_appeal"  # as the model was called
        verbose_name = _("appeal against an offence")
        verbose_name_plural = _("appeals against offences")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state=AppealState.OPEN, decided_at__isnull=True)
                | (~Q(state=AppealState.OPEN) & Q(decided_at__isnull=False)),
                name="appeal_decided_has_a_time",
            ),
        ]
        indexes = [
            # Those that wait for a decision, oldest first.
            models.Index(fields=["id"], name="appeal_open", condition=Q(state=AppealState.OPEN)),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
