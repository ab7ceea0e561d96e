"""Sanctions: what operators impose on a player, whether an account stands behind it or the game brings it alone."""

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from ratings.models.games import Game
from ratings.models.players import Player

__all__ = ["LONGEST_REASON", "KeptSuspension", "Sanction", "SanctionKind", "SuspendedFrom"]

LONGEST_REASON = 1000


class SanctionKind(models.TextChoices):
    """What is done. A note is for operators alone; everything else is told to the player."""

    NOTE = "note", _("note")
    WARNING = "warning", _("warning")
    HIDDEN = "hidden", _("hidden from leaderboards")
    SUSPENDED = "suspended", _("suspended")


class SuspendedFrom(models.TextChoices):
    """What a suspended player cannot do."""

    SEARCHING = "searching", _("searching for matches")
    PARTIES = "parties", _("parties")
    RESULTS = "results", _("reporting results")
    TALK = "talk", _("writing to others")
    ALL = "all", _("everything")


class Sanction(models.Model):
    """One sanction on one player. In force until it is lifted or its time is over; never deleted, never changed."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="sanctions",
        db_index=False,
    )
    kind = models.CharField(_("kind"), max_length=10, choices=SanctionKind)
    suspended_from = models.CharField(
        _("suspended from"),
        max_length=10,
        choices=SuspendedFrom,
        blank=True,
        db_default="",
        help_text=_(
            "Of a suspension: what the player cannot do. Results: the player reports none, and those that servers send"
            " with the player are refused; what the others report still counts and is rated."
        ),
    )
    reason = models.TextField(
        _("reason"),
        validators=[MaxLengthValidator(LONGEST_REASON)],
        help_text=_("The player reads it, unless it is a note."),
    )
    carried_from = models.ForeignKey(
        "self",
        verbose_name=_("carried over from"),
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        db_index=False,
        related_name="+",
        help_text=_("The sanction on a merged player that goes on in this one."),
    )
    imposed_at = models.DateTimeField(_("imposed"), db_default=TransactionNow(), editable=False)
    imposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("imposed by"),
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
    )
    until = models.DateTimeField(
        _("until"), null=True, blank=True, help_text=_("Empty: until it is lifted.")
    )
    lifted_at = models.DateTimeField(_("lifted"), null=True, editable=False)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("lifted by"),
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
    )

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind=SanctionKind.SUSPENDED, suspended_from__in=SuspendedFrom.values)
                | (~Q(kind=SanctionKind.SUSPENDED) & Q(suspended_from="")),
                name="sanction_suspends_from_something",
            ),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gt=F("imposed_at")),
                name="sanction_ends_after_it_began",
            ),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True, lifted_by__isnull=True)
                | Q(lifted_at__isnull=False),
                name="sanction_lifted_by_somebody_at_a_time",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="sanction_has_a_reason"),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("reason"), Value(LONGEST_REASON)),
                name="sanction_reason_is_short",
            ),
        ]
        indexes = [
            # All of a player.
            models.Index(fields=["player", "-id"], name="sanction_of_player"),
            # What every search asks for: hardly any rows, however many players there are.
            models.Index(
                fields=["player"],
                name="sanction_not_lifted",
                condition=Q(lifted_at__isnull=True, kind__in=["hidden", "suspended"]),
            ),
            # Whom boards leave out, or let in again.
            models.Index(fields=["player"], name="sanction_hidden", condition=Q(kind="hidden")),
        ]

    def __str__(self) -> str:
        kind, what = self.get_kind_display(), self.get_suspended_from_display()
        return f"{self.player}: {kind} ({what})" if what else f"{self.player}: {kind}"


class KeptSuspension(models.Model):
    """A suspension of somebody who was deleted, for whoever plays under the same id in the game next. Nothing else of
    the person: neither the id, which nobody can read from its digest, nor a name, nor a reason.
    """

    game = models.ForeignKey(
        Game,
        verbose_name=_("game"),
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    digest = models.CharField(max_length=64, editable=False)
    suspended_from = models.CharField(
        _("suspended from"), max_length=10, choices=SuspendedFrom, editable=False
    )
    until = models.DateTimeField(
        _("until"), null=True, editable=False, help_text=_("Empty: until it is forgotten.")
    )

    class Meta:
        verbose_name = _("suspension of somebody deleted")
        verbose_name_plural = _("suspensions of the deleted")
        ordering = ["-id"]
        # Whoever may view sanctions may view these, and forget them who may lift.
        default_permissions = ()
        constraints = [
            models.CheckConstraint(
                condition=Q(suspended_from__in=SuspendedFrom.values),
                name="kept_suspension_from_something",
            ),
        ]
        indexes = [models.Index(fields=["game", "digest"], name="kept_suspension_of_id")]

    def __str__(self) -> str:
        return f"{self.game}: {self.get_suspended_from_display()} #{self.pk}"
