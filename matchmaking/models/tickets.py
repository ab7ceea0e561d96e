"""Tickets: searches for a match, each of one player or a party."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q, Value
from django.utils.translation import gettext_lazy as _

from matchmaking.models.parties import Party
from matchmaking.models.queues import Queue
from ratings.models import Player


class TicketState(models.TextChoices):
    """Where a ticket is in its life. Waiting and offered tickets are live."""

    WAITING = "waiting", _("waiting")
    OFFERED = "offered", _("offered a match")
    MATCHED = "matched", _("matched")
    CANCELLED = "cancelled", _("cancelled")
    EXPIRED = "expired", _("expired")


LIVE = [TicketState.WAITING, TicketState.OFFERED]


class Ticket(models.Model):
    """A search in one queue. Keeps its waiting time when an offer falls through for another's reason."""

    queue = models.ForeignKey(
        Queue, verbose_name=_("queue"), on_delete=models.PROTECT, related_name="tickets"
    )
    state = models.CharField(
        _("state"), max_length=10, choices=TicketState, default=TicketState.WAITING
    )
    waiting_since = models.DateTimeField(_("waiting since"), db_default=TransactionNow())
    seen_at = models.DateTimeField(_("last heard from"), db_default=TransactionNow())
    # Empty: nothing is known of it, as of games that do not tell; such players are never asked.
    touched_at = models.DateTimeField(_("last known to be there"), null=True, editable=False)
    asked_at = models.DateTimeField(
        _("asked “Still there?”"),
        null=True,
        editable=False,
        help_text=_("Until the answer no match is found for the ticket. Stays when none came."),
    )
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    party = models.ForeignKey(
        Party,
        verbose_name=_("party"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="tickets",
    )
    wishes = models.JSONField(
        _("preferences for this search"),
        default=dict,
        blank=True,
        db_default=Value({}, models.JSONField()),
        help_text=_("Languages, regions with latencies, styles, rules, maps."),
    )
    wants_partner = models.BooleanField(
        _("wants a partner of the game"),
        default=False,
        db_default=False,
        help_text=_("If nobody comes, and where the queue has such partners."),
    )
    # Statistics of searches do not take it for one that has found somebody.
    supplied = models.BooleanField(
        _("supplied by the game"),
        default=False,
        db_default=False,
        editable=False,
        help_text=_("Ended in a match with a partner of the game."),
    )
    # What the sweep paired it by: how long players of such ratings wait is estimated from it.
    rating = models.FloatField(_("rating when offered"), null=True, editable=False)

    class Meta:
        verbose_name = _("ticket")
        verbose_name_plural = _("tickets")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=LIVE, ended_at__isnull=True)
                | (~Q(state__in=LIVE) & Q(ended_at__isnull=False)),
                name="ticket_ended_has_a_time",
            ),
        ]
        indexes = [
            # The sweep: the waiting tickets of a queue, longest first.
            models.Index(
                fields=["queue", "waiting_since", "id"],
                name="ticket_waiting",
                condition=Q(state=TicketState.WAITING),
            ),
            # The latest searches that found a match: how long one has to wait.
            models.Index(
                fields=["queue", "-ended_at"],
                name="ticket_matched",
                condition=Q(state=TicketState.MATCHED),
            ),
            # The latest searches that came to nothing; like the one above never written while somebody waits.
            models.Index(
                fields=["queue", "-ended_at"],
                name="ticket_in_vain",
                condition=Q(state__in=[TicketState.CANCELLED, TicketState.EXPIRED]),
            ),
            # Live tickets whose players have gone silent.
            models.Index(
                fields=["queue", "seen_at"], name="ticket_silent", condition=Q(state__in=LIVE)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.queue} #{self.pk}"


class TicketMember(models.Model):
    """A player on a ticket. A player belongs to one game, so one live ticket each is one per player and game."""

    ticket = models.ForeignKey(
        Ticket,
        verbose_name=_("ticket"),
        on_delete=models.CASCADE,
        related_name="members",
        db_index=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="tickets",
        db_index=False,
    )
    reported_as = models.ForeignKey(
        Player,
        verbose_name=_("reported as"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        editable=False,
        db_index=False,
        help_text=_("Under which player it came, where that one was merged into the player."),
    )
    live = models.BooleanField(_("live"), default=True, help_text=_("Follows the ticket's state."))
    character = models.CharField(
        _("character"),
        max_length=60,
        blank=True,
        db_default="",
        help_text=_("Chosen before the search; hidden from opponents until all have accepted."),
    )
    roles = models.JSONField(
        _("roles"),
        default=list,
        blank=True,
        db_default=Value([], models.JSONField()),
        help_text=_("Roles the player would play. Empty: any."),
    )

    class Meta:
        verbose_name = _("ticket member")
        verbose_name_plural = _("ticket members")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint("ticket", "player", name="ticket_member_once"),
            models.UniqueConstraint(
                "player",
                condition=Q(live=True),
                name="ticket_one_live_per_player",
                violation_error_message=_("This player is searching already."),
            ),
        ]
        indexes = [
            # A player's searches, newest first.
            models.Index(fields=["player", "-id"], name="ticket_of_player"),
        ]

    def __str__(self) -> str:
        return str(self.player)
