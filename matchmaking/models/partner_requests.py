"""Requests to a game for a partner: whom nobody came for plays somebody whom the game supplies."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from foundation.timekeeping import Begun
from matchmaking.models.tickets import Ticket
from ratings.models import Match

__all__ = ["PartnerRequest", "PartnerState"]


class PartnerState(models.TextChoices):
    """Where a request is in its life."""

    ASKED = "asked", _("waiting for the game")
    ACCEPTED = "accepted", _("partner supplied")
    DECLINED = "declined", _("declined by the game")
    EXPIRED = "expired", _("unanswered")
    WITHDRAWN = "withdrawn", _("withdrawn")


class PartnerRequest(models.Model):
    """The game is asked for a partner for a search. Changes only under the lock of its ticket."""

    ticket = models.ForeignKey(
        Ticket,
        verbose_name=_("ticket"),
        on_delete=models.PROTECT,
        related_name="partner_requests",
        db_index=False,
    )
    state = models.CharField(
        _("state"), max_length=10, choices=PartnerState, default=PartnerState.ASKED
    )
    asked_at = models.DateTimeField(_("asked"), db_default=TransactionNow())
    expires_at = models.DateTimeField(_("expires"))
    ended_at = models.DateTimeField(_("ended"), null=True, editable=False)
    match = models.OneToOneField(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        null=True,
        related_name="partner_request",
    )

    # After a clock that ran ahead.
    begins_anew = (Begun("asked_at", beside=("expires_at",), only=Q(ended_at=None)),)

    class Meta:
        verbose_name = _("request for a partner")
        verbose_name_plural = _("requests for partners")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                "ticket",
                condition=Q(state=PartnerState.ASKED),
                name="partner_one_request_per_ticket",
            ),
            models.UniqueConstraint(
                "ticket",
                condition=Q(state=PartnerState.ACCEPTED),
                name="partner_one_match_per_ticket",
            ),
            models.CheckConstraint(
                condition=Q(state=PartnerState.ASKED, ended_at__isnull=True)
                | (~Q(state=PartnerState.ASKED) & Q(ended_at__isnull=False)),
                name="partner_ended_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state=PartnerState.ACCEPTED, match__isnull=False)
                | (~Q(state=PartnerState.ACCEPTED) & Q(match__isnull=True)),
                name="partner_match_only_when_accepted",
            ),
        ]
        indexes = [
            # Of a ticket the latest; also the index of the foreign key.
            models.Index(fields=["ticket", "-id"], name="partner_latest"),
            # What the game has not answered yet: few at any time.
            models.Index(
                fields=["expires_at"], name="partner_asked", condition=Q(state=PartnerState.ASKED)
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
