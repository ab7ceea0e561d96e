"""Offers: the teams, why they were proposed, and the answers."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from accounts.audited_admin import may_see
from foundation.read_only_admin import ReadOnlyAdmin, ReadOnlyInline
from foundation.templatetags.display import percent
from matchmaking.admin.offer_record import why_of
from matchmaking.models import Offer, OfferTicket
from matchmaking.templatetags.play import rounded, ticking
from ratings.admin.of_matches.matches import show_origin_with
from ratings.models import Match


class OfferTicketInline(ReadOnlyInline[OfferTicket, Offer]):
    """The tickets of the offer and their answers."""

    model = OfferTicket
    fields = ("ticket", "who", "side", "waited", "accepted_at", "declined_at", "live")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[OfferTicket]:
        found = super().get_queryset(request).select_related("ticket__queue", "offer")
        return found.prefetch_related("ticket__members__player")

    @admin.display(description=_("players"))
    def who(self, offered: OfferTicket) -> str:
        """Their names."""
        return ", ".join(member.player.name for member in offered.ticket.members.all())

    @admin.display(description=_("team"))
    def side(self, offered: OfferTicket) -> int:
        """Its number, from 1 as in the reasons below."""
        return offered.team + 1

    @admin.display(description=_("waited until the offer"))
    def waited(self, offered: OfferTicket) -> str:
        """From joining."""
        return ticking((offered.offer.created_at - offered.ticket.waiting_since).total_seconds())


@admin.register(Offer)
class OfferAdmin(ReadOnlyAdmin[Offer]):
    """Proposed matches."""

    change_form_template = "admin/matchmaking/offer/change_form.html"
    list_display = [
        "id",
        "queue",
        "state",
        "who",
        "gap_in_points",
        "expected",
        "created_at",
        "match",
    ]
    list_filter = ["state", "queue", "created_at"]
    list_select_related = ["queue", "match"]
    search_fields = ["=id", "=match__id"]
    search_help_text = _("An offer's number, or that of its match.")
    sortable_by = ["id"]
    inlines = [OfferTicketInline]
    fields = [
        "queue",
        "state",
        "gap_in_points",
        "expected",
        "map",
        "is_neutral",
        "created_at",
        "expires_at",
        "match",
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Offer]:
        found = super().get_queryset(request).select_related("queue", "match")
        return found.prefetch_related("tickets__ticket__members__player")

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        """Within a queue by time, for which there is an index."""
        return ["-created_at", "-id"] if "queue__id__exact" in request.GET else ["-id"]

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context["why"] = why_of(kwargs["obj"])
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=_("players"))
    def who(self, offer: Offer) -> str:
        """All sides, in the order of their teams."""
        teams: dict[int, list[str]] = {}
        for offered in offer.tickets.all():
            names = [member.player.name for member in offered.ticket.members.all()]
            teams.setdefault(offered.team, []).extend(names)
        return " – ".join(", ".join(names) for _team, names in sorted(teams.items()))

    @admin.display(description=_("expected score of the first team"))
    def expected(self, offer: Offer) -> str:
        """By the ladder's ratings then."""
        return percent(offer.chance)

    @admin.display(description=_("rating gap"))
    def gap_in_points(self, offer: Offer) -> str:
        """Between the sides, when the offer was made."""
        return rounded(offer.gap)


def _origin(request: HttpRequest, match: Match) -> str:
    """Why the match was made, for accounts that may see offers."""
    if not may_see(request, "matchmaking.offer"):
        return ""
    offer = Offer.objects.filter(match=match).select_related("queue").first()
    if offer is None:
        return ""
    context = {"why": why_of(offer), "offer": offer}
    return render_to_string("admin/matchmaking/offer/why.html", context, request)


show_origin_with(_origin)
