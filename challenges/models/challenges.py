"""One player asks another for a match: now, by a link, or at an agreed time."""

from django.contrib.postgres.functions import TransactionNow
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from foundation.timekeeping import Begun
from ratings.models import Ladder, Match, Player

__all__ = ["LIVE", "LONGEST_NOTE", "Challenge", "ChallengeState", "Side"]

LONGEST_NOTE = 200


class ChallengeState(models.TextChoices):
    """Where a challenge is in its life. An appointment is one with a time, and goes the same way."""

    OPEN = "open", _("open")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")
    EXPIRED = "expired", _("expired")
    STARTED = "started", _("match started")
    MISSED = "missed", _("missed")
    CANCELLED = "cancelled", _("cancelled")


# Something may come of these still.
LIVE = [ChallengeState.OPEN, ChallengeState.ACCEPTED]
_UNTAKEN = [ChallengeState.OPEN, ChallengeState.WITHDRAWN, ChallengeState.EXPIRED]


class Side(models.TextChoices):
    """Who plays the better side, where the game has one: as whoever challenges wants it."""

    MINE = "mine", _("I play the first side")
    OTHER = "other", _("the other plays the first side")
    DRAWN = "drawn", _("drawn by lot")


class Challenge(models.Model):
    """A challenge. Without `challenged` it is a link, which the first who takes it answers."""

    ladder = models.ForeignKey(
        Ladder, verbose_name=_("ladder"), on_delete=models.PROTECT, related_name="+"
    )
    challenger = models.ForeignKey(
        Player,
        verbose_name=_("challenger"),
        on_delete=models.PROTECT,
        related_name="challenges",
        db_index=False,
    )
    challenged = models.ForeignKey(
        Player,
        verbose_name=_("challenged"),
        on_delete=models.PROTECT,
        related_name="challenged_by",
        null=True,
        blank=True,
        db_index=False,
        help_text=_("Empty until somebody takes the link."),
    )
    # Null where there is none: two empty ones would be the same code.
    code = models.CharField(  # noqa: DJ001
        _("code"), max_length=20, null=True, unique=True, editable=False
    )
    state = models.CharField(
        _("state"),
        max_length=10,
        choices=ChallengeState,
        default=ChallengeState.OPEN,
        db_default=ChallengeState.OPEN,
    )
    side = models.CharField(_("side"), max_length=5, choices=Side, default=Side.DRAWN)
    rated = models.BooleanField(_("rated"), default=True)
    note = models.TextField(
        _("note"), blank=True, default="", validators=[MaxLengthValidator(LONGEST_NOTE)]
    )
    at = models.DateTimeField(
        _("time agreed"), null=True, blank=True, help_text=_("Of an appointment. Empty: at once.")
    )
    rematch_of = models.ForeignKey(
        Match,
        verbose_name=_("rematch of"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
    )
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)
    expires_at = models.DateTimeField(_("expires"), help_text=_("Until then it may be accepted."))
    answered_at = models.DateTimeField(_("answered"), null=True, editable=False)
    due_at = models.DateTimeField(
        _("due"), null=True, editable=False, help_text=_("Until then both have to be there.")
    )
    ended_at = models.DateTimeField(_("ended"), null=True, editable=False)
    challenger_seen_at = models.DateTimeField(_("last seen"), null=True, editable=False)
    challenger_here_at = models.DateTimeField(
        _("challenger is there since"), null=True, editable=False
    )
    challenged_here_at = models.DateTimeField(
        _("challenged is there since"), null=True, editable=False
    )
    reminded_at = models.DateTimeField(_("reminded"), null=True, editable=False)
    called_at = models.DateTimeField(_("called"), null=True, editable=False)
    match = models.OneToOneField(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        related_name="challenge",
        null=True,
        editable=False,
    )

    # After a clock that ran ahead. An appointment stays at its time.
    begins_anew = (
        Begun("answered_at", beside=("due_at",), only=Q(ended_at=None, at=None)),
        Begun("created_at", beside=("expires_at",), only=Q(ended_at=None)),
    )

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(challenged__isnull=True) | ~Q(challenged=F("challenger")),
                name="challenge_not_of_oneself",
            ),
            models.CheckConstraint(
                condition=Q(challenged__isnull=False)
                | Q(code__isnull=False, state__in=_UNTAKEN, at__isnull=True),
                name="challenge_of_somebody_or_a_link",
            ),
            models.CheckConstraint(
                condition=Q(state=ChallengeState.STARTED, match__isnull=False)
                | (~Q(state=ChallengeState.STARTED) & Q(match__isnull=True)),
                name="challenge_started_has_its_match",
            ),
            models.CheckConstraint(
                condition=Q(state=ChallengeState.ACCEPTED, due_at__isnull=False)
                | (~Q(state=ChallengeState.ACCEPTED) & Q(due_at__isnull=True)),
                name="challenge_due_while_accepted",
            ),
            models.CheckConstraint(
                condition=Q(state__in=LIVE, ended_at__isnull=True)
                | (~Q(state__in=LIVE) & Q(ended_at__isnull=False)),
                name="challenge_over_has_an_end",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("created_at")), name="challenge_expires_after_it_began"
            ),
            # Whoever of the two was first.
            models.UniqueConstraint(
                F("ladder"),
                Least("challenger", "challenged"),
                Greatest("challenger", "challenged"),
                condition=Q(state=ChallengeState.OPEN, challenged__isnull=False),
                name="challenge_one_open_between_two",
            ),
        ]
        indexes = [
            # A player's own, made and received, the newest first.
            models.Index(fields=["challenger", "-id"], name="challenge_of_challenger"),
            models.Index(fields=["challenged", "-id"], name="challenge_of_challenged"),
            # What may come to something: few, however many there were.
            models.Index(
                fields=["challenged"], name="challenge_received_live", condition=Q(state__in=LIVE)
            ),
            models.Index(
                fields=["challenger"], name="challenge_made_live", condition=Q(state__in=LIVE)
            ),
            models.Index(
                fields=["expires_at"],
                name="challenge_expiring",
                condition=Q(state=ChallengeState.OPEN),
            ),
            models.Index(
                fields=["due_at"], name="challenge_due", condition=Q(state=ChallengeState.ACCEPTED)
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    def get_absolute_url(self) -> str:
        """Address of the page on which its two see it."""
        return reverse("challenge", args=[self.pk])

    @property
    def is_live(self) -> bool:
        """Whether something may come of it still."""
        return self.state in LIVE

    @property
    def players(self) -> list[int]:
        """Ids of the two, or of the one while nobody has taken its link."""
        both = (self.challenger_id, self.challenged_id)
        return [player for player in both if player is not None]

    def other_of(self, player_id: int) -> Player | None:
        """The other of the two."""
        return self.challenged if player_id == self.challenger_id else self.challenger
