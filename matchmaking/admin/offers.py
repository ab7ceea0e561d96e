"""Offers: who was proposed to whom, why, and what came of it."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from foundation.browsing import ReadOnlyAdmin, ReadOnlyInline
from matchmaking.models import Offer, OfferTicket
from matchmaking.templatetags.play import ticking

__all__ = ["OfferAdmin"]


class OfferTicketInline(ReadOnlyInline[OfferTicket, Offer]):
    """The tickets of the offer, how far they would go, and their answers."""

    model = OfferTicket
    fields = ("ticket", "who", "team", "waited", "accepts", "accepted_at", "declined_at", "live")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[OfferTicket]:
        found = super().get_queryset(request).select_related("ticket__queue", "offer__queue")
        return found.prefetch_related("ticket__members__player")

    @admin.display(description=_("players"))
    def who(self, seat: OfferTicket) -> str:
        """Their names."""
        return ", ".join(member.player.name for member in seat.ticket.members.all())

    @admin.display(description=_("waited until the offer"))
    def waited(self, seat: OfferTicket) -> str:
        """From joining."""
        return ticking(_seconds(seat))

    @admin.display(description=_("rating gap accepted"))
    def accepts(self, seat: OfferTicket) -> str:
        """After that wait, by the settings that the queue has now."""
        queue = seat.offer.queue
        gap = queue.gap_start + queue.gap_per_second * _seconds(seat)
        return number_format(gap if queue.gap_cap is None else min(gap, queue.gap_cap), 0)


def _seconds(seat: OfferTicket) -> float:
    return max(0.0, (seat.offer.created_at - seat.ticket.waiting_since).total_seconds())


@admin.register(Offer)
class OfferAdmin(ReadOnlyAdmin[Offer]):
    """Proposed matches."""

    change_form_template = "admin/matchmaking/offer/change_form.html"
    list_display = ["id", "queue", "state", "who", "gap_in_points", "created_at", "match"]
    list_filter = ["state", "queue", "created_at"]
    list_select_related = ["queue", "match"]
    search_fields = ["=id", "=match__id"]
    search_help_text = _("An offer's number, or that of its match.")
    sortable_by = ["id"]
    inlines = [OfferTicketInline]
    fields = ["queue", "state", "gap_in_points", "created_at", "expires_at", "match"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Offer]:
        found = super().get_queryset(request).select_related("queue", "match")
        return found.prefetch_related("tickets__ticket__members__player")

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        """Within a queue by time, for which there is an index."""
        return ["-created_at", "-id"] if "queue__id__exact" in request.GET else ["-id"]

    @admin.display(description=_("players"))
    def who(self, offer: Offer) -> str:
        """Both sides."""
        return " – ".join(
            ", ".join(member.player.name for member in seat.ticket.members.all())
            for seat in offer.tickets.all()
        )

    @admin.display(description=_("rating gap"))
    def gap_in_points(self, offer: Offer) -> str:
        """Between the sides, when the offer was made."""
        return "–" if offer.gap is None else number_format(offer.gap, 0)
