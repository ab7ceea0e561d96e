"""Offers: a proposed match that every player still has to accept."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q, Value
from django.utils.translation import gettext_lazy as _

from matchmaking.models.queues import Queue
from matchmaking.models.tickets import Ticket
from ratings.models import Match


class OfferState(models.TextChoices):
    """Where an offer is in its life."""

    PENDING = "pending", _("waiting for answers")
    ACCEPTED = "accepted", _("accepted by all")
    DECLINED = "declined", _("declined")
    EXPIRED = "expired", _("expired")


class Offer(models.Model):
    """A proposed match. Becomes a match only when all have accepted."""

    queue = models.ForeignKey(
        Queue,
        verbose_name=_("queue"),
        on_delete=models.PROTECT,
        related_name="offers",
        db_index=False,
    )
    state = models.CharField(
        _("state"), max_length=10, choices=OfferState, default=OfferState.PENDING
    )
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow())
    expires_at = models.DateTimeField(_("expires"))
    gap = models.FloatField(
        _("rating gap"), null=True, help_text=_("Between the sides, when the offer was made.")
    )
    chance = models.FloatField(
        _("expected score of the first team"),
        null=True,
        blank=True,
        help_text=_("By the ladder's ratings, when the offer was made. Of two teams only."),
    )
    map = models.CharField(_("map"), max_length=100, blank=True, db_default="")
    is_neutral = models.BooleanField(
        _("neutral"),
        default=False,
        db_default=False,
        help_text=_("Nobody plays the better side. Otherwise the first team does."),
    )
    record = models.JSONField(
        _("why it was made"),
        default=dict,
        blank=True,
        db_default=Value({}, models.JSONField()),
    )
    match = models.OneToOneField(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="offer",
    )

    class Meta:
        verbose_name = _("offer")
        verbose_name_plural = _("offers")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state=OfferState.ACCEPTED, match__isnull=False)
                | (~Q(state=OfferState.ACCEPTED) & Q(match__isnull=True)),
                name="offer_match_only_when_accepted",
            ),
            models.CheckConstraint(
                condition=Q(chance__isnull=True) | Q(chance__gte=0, chance__lte=1),
                name="offer_chance_is_a_share",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=models.F("created_at")), name="offer_expires_later"
            ),
        ]
        indexes = [
            # Offers whose time to accept is over.
            models.Index(
                fields=["expires_at"], name="offer_due", condition=Q(state=OfferState.PENDING)
            ),
            # The latest offers of a queue, and what became of those of a day; also the index of the foreign key.
            models.Index(fields=["queue", "-created_at", "-id"], name="offer_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.queue} #{self.pk}"


class OfferTicket(models.Model):
    """A ticket in an offer: its team, and its players' answer."""

    offer = models.ForeignKey(
        Offer,
        verbose_name=_("offer"),
        on_delete=models.CASCADE,
        related_name="tickets",
        db_index=False,
    )
    ticket = models.ForeignKey(
        Ticket, verbose_name=_("ticket"), on_delete=models.PROTECT, related_name="offers"
    )
    team = models.PositiveSmallIntegerField(_("team"))
    # As an accepted offer keeps its tickets, a ticket is in one match at most, ever.
    live = models.BooleanField(
        _("live"),
        default=True,
        help_text=_("While the offer waits for answers, and for good once all have accepted."),
    )
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    declined_at = models.DateTimeField(_("declined"), null=True, blank=True)

    class Meta:
        verbose_name = _("ticket in an offer")
        verbose_name_plural = _("tickets in offers")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint("offer", "ticket", name="offer_ticket_once"),
            models.UniqueConstraint(
                "ticket", condition=Q(live=True), name="offer_one_live_per_ticket"
            ),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True) | Q(declined_at__isnull=True),
                name="offer_ticket_one_answer",
            ),
        ]

    def __str__(self) -> str:
        return str(self.ticket)
