"""Parties: who searches together, and ending one that troubles its members."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import actor_of
from accounts.models import User
from foundation.admin_filters import ChoiceFilter
from foundation.read_only_admin import ReadOnlyAdmin, ReadOnlyInline
from matchmaking.models import Party, PartyMember, Ticket
from matchmaking.models.tickets import LIVE
from matchmaking.parties.lifecycle import check_dissolve, dissolve
from ratings.admin.players import find_players
from ratings.players.own_matters import own_matter

LARGEST_ID = 2**63 - 1


class LiveFilter(ChoiceFilter):
    """Those that exist now."""

    title = gettext_lazy("existing")
    parameter_name = "live"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", _("now"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Party]) -> QuerySet[Party]:
        return queryset.filter(ended_at__isnull=True) if self.value() == "1" else queryset


class PartyMemberInline(ReadOnlyInline[PartyMember, Party]):
    """Who is in it, and who was."""

    model = PartyMember
    fields = ("player", "live", "joined_at", "left_at", "removed")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[PartyMember]:
        return super().get_queryset(request).select_related("player")


@admin.register(Party)
class PartyAdmin(ReadOnlyAdmin[Party]):
    """For looking, but for ending one. Its code lets people in, so it is not shown."""

    change_form_template = "admin/matchmaking/party/change_form.html"
    list_display = ["id", "game", "leader", "who", "created_at", "ended_at"]
    list_filter = [LiveFilter, "game"]
    list_select_related = ["game", "leader"]
    search_fields = ["=id"]
    search_help_text = gettext_lazy(
        "A party's number, or the beginning of the name of one of its players."
    )
    sortable_by = ["id"]
    inlines = [PartyMemberInline]
    fields = ["game", "leader", "created_at", "ended_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Party]:
        found = super().get_queryset(request).select_related("game", "leader")
        return found.prefetch_related("members__player")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Party], search_term: str
    ) -> tuple[QuerySet[Party], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        memberships = PartyMember.objects.filter(player__in=find_players(term).values("pk"))
        wanted = Q(pk__in=memberships.values("party"))
        if term.isdecimal() and int(term) <= LARGEST_ID:
            wanted |= Q(pk=int(term))
        return queryset.filter(wanted), False

    def get_urls(self) -> list[URLPattern]:
        """Ending a party."""
        view = self.admin_site.admin_view(self.dissolve_view)
        return [
            path("<int:pk>/dissolve/", view, name="matchmaking_party_dissolve"),
            *super().get_urls(),
        ]

    def dissolve_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """End a party in place of its members."""
        require(request, ["matchmaking.change_party"])
        party = get_object_or_404(Party.objects.select_related("game"), pk=pk)
        members = PartyMember.objects.filter(party=party, live=True).order_by("pk")

        def act(actor: User, said: dict[str, Any]) -> str:
            dissolve(party_id=pk, by=actor, note=said["note"])
            return _("The party was dissolved. Its players can search alone, or open another.")

        admin_action = AdminAction(
            title=_("Dissolve party %(number)s") % {"number": pk},
            button=_("Dissolve the party"),
            template="admin/matchmaking/party/dissolve.html",
            act=act,
            back=reverse("admin:matchmaking_party_change", args=[pk]),
            form=NoteForm(request.POST or None),
            context={
                "players": [member.player for member in members.select_related("player")],
                "searches": Ticket.objects.filter(party=party, state__in=LIVE).exists(),
                "is_impossible": party.ended_at is not None,
                "own_matter": own_matter(lambda: check_dissolve(actor_of(request), pk)),
            },
        )
        return carry_out(request, self.admin_site, party, admin_action)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        may = actor_of(request).has_perm("matchmaking.change_party")
        context["can_dissolve"] = may and kwargs["obj"].ended_at is None
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=gettext_lazy("players"))
    def who(self, party: Party) -> str:
        """Names of those in it now; of an ended one of those who were."""
        members = list(party.members.all())
        left = [member for member in members if member.live] or members
        return ", ".join(member.player.name for member in left)
