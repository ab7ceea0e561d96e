"""Rounds at set times: when a queue has them, each of them, and who joins."""

from django.contrib.postgres.functions import TransactionNow
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from foundation.archiving import in_use
from foundation.timekeeping import Begun
from matchmaking.models.queues import Queue
from matchmaking.models.tickets import Ticket
from ratings.models import Player

__all__ = ["EVERY_DAY", "EntryState", "Round", "RoundEntry", "RoundState", "RoundTime"]

# Bits of the days of a week, Monday first.
EVERY_DAY = 127


class RoundTime(models.Model):
    """When a queue has rounds: on these days of the week, at this time of this zone's clocks."""

    queue = models.ForeignKey(
        Queue, verbose_name=_("queue"), on_delete=models.PROTECT, related_name="round_times"
    )
    weekdays = models.PositiveSmallIntegerField(
        _("days of the week"),
        db_default=EVERY_DAY,
        default=EVERY_DAY,
        validators=[MinValueValidator(1), MaxValueValidator(EVERY_DAY)],
    )
    at = models.TimeField(_("time"))
    zone = models.CharField(_("time zone"), max_length=60)
    is_on = models.BooleanField(
        _("on"),
        db_default=True,
        default=True,
        help_text=_("Off: no further rounds; those that are announced already are cancelled."),
    )

    class Meta:
        verbose_name = _("time of rounds")
        verbose_name_plural = _("times of rounds")
        ordering = ["queue_id", "at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(weekdays__gte=1, weekdays__lte=EVERY_DAY), name="round_time_has_a_day"
            ),
            models.CheckConstraint(condition=~Q(zone=""), name="round_time_has_a_zone"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%H:%M} {self.zone}"


class RoundState(models.TextChoices):
    """What has become of a round."""

    ANNOUNCED = "announced", _("announced")
    HELD = "held", _("held")
    CANCELLED = "cancelled", _("cancelled")


class RoundQuerySet(models.QuerySet["Round"]):
    """Reading rounds."""

    def to_come(self) -> "RoundQuerySet":
        """Those that are announced, of queues in use, the next first."""
        used = in_use("queue__", "queue__ladder__", "queue__ladder__game__")
        return self.filter(used, state=RoundState.ANNOUNCED).order_by("starts_at", "pk")


class Round(models.Model):
    """One round of a queue: all who joined it and are there begin to search at once."""

    queue = models.ForeignKey(
        Queue, verbose_name=_("queue"), on_delete=models.PROTECT, related_name="rounds"
    )
    time = models.ForeignKey(
        RoundTime, verbose_name=_("time of rounds"), on_delete=models.PROTECT, related_name="rounds"
    )
    starts_at = models.DateTimeField(_("begins"))
    state = models.CharField(
        _("state"), max_length=10, choices=RoundState, default=RoundState.ANNOUNCED
    )
    reminded_at = models.DateTimeField(_("reminded"), null=True, editable=False)
    ended_at = models.DateTimeField(_("held or cancelled"), null=True, editable=False)

    objects = RoundQuerySet.as_manager()

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["-starts_at", "id"]
        constraints = [
            # Two workers that look ahead at once announce it once.
            models.UniqueConstraint(fields=["queue", "starts_at"], name="round_once_in_a_queue"),
            models.CheckConstraint(
                condition=Q(state=RoundState.ANNOUNCED, ended_at__isnull=True)
                | Q(state__in=[RoundState.HELD, RoundState.CANCELLED], ended_at__isnull=False),
                name="round_ended_has_a_time",
            ),
        ]
        indexes = [
            # What is due, and what is to come.
            models.Index(
                fields=["starts_at"], name="round_to_come", condition=Q(state=RoundState.ANNOUNCED)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.queue_id}: {self.starts_at:%Y-%m-%d %H:%M}"


class EntryState(models.TextChoices):
    """What has become of an entry."""

    JOINED = "joined", _("joined")
    SEARCHED = "searched", _("began to search")
    ABSENT = "absent", _("was not there")
    ELSEWHERE = "elsewhere", _("was in a match or a search")
    REFUSED = "refused", _("could not search")


class RoundEntry(models.Model):
    """A player who joined a round. Whoever leaves again leaves no row.

    `seen_at`: the last sign that the player means to be there.
    """

    round = models.ForeignKey(
        Round, verbose_name=_("round"), on_delete=models.CASCADE, related_name="entries"
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="+"
    )
    state = models.CharField(
        _("state"), max_length=10, choices=EntryState, default=EntryState.JOINED
    )
    seen_at = models.DateTimeField(_("last heard from"), db_default=TransactionNow())
    ticket = models.OneToOneField(
        Ticket,
        verbose_name=_("ticket"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="round_entry",
    )

    # After a clock that ran ahead.
    begins_anew = (Begun("seen_at"),)

    class Meta:
        verbose_name = _("entry of a round")
        verbose_name_plural = _("entries of rounds")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["round", "player"], name="round_joined_once"),
            models.CheckConstraint(
                condition=Q(ticket__isnull=True) | Q(state=EntryState.SEARCHED),
                name="round_ticket_of_those_who_searched",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.round_id}"
