"""Clans: who is and was in them, and dissolving one that troubles people."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import actor_of
from accounts.models import User
from clans.lifecycle import dissolve_by
from clans.models import Clan, Membership, Span
from foundation.read_only_admin import ReadOnlyAdmin, ReadOnlyInline
from ratings.admin.players import find_players

__all__ = ["ClanAdmin"]


class MembershipInline(ReadOnlyInline[Membership, Clan]):
    """Who is in it."""

    model = Membership
    fields = ("player", "is_officer", "joined_at")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        return super().get_queryset(request).select_related("player")


class SpanInline(ReadOnlyInline[Span, Clan]):
    """Who was in it from when until when."""

    model = Span
    fields = ("player", "since", "until")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Span]:
        return super().get_queryset(request).select_related("player")


@admin.register(Clan)
class ClanAdmin(ReadOnlyAdmin[Clan]):
    """For looking, but for dissolving one. Who is invited, applies or was removed is the clan's own matter."""

    change_form_template = "admin/clans/clan/change_form.html"
    list_display = [
        "id",
        "tag",
        "name",
        "game",
        "leader",
        "access",
        "size",
        "founded_at",
        "ended_at",
    ]
    list_filter = ["access", ("ended_at", admin.EmptyFieldListFilter), "game"]
    list_select_related = ["game", "leader"]
    search_fields = ["=id"]
    search_help_text = gettext_lazy(
        "A clan's number, its tag, words of its name, or the beginning of the name of one of its players."
    )
    sortable_by = ["id"]
    inlines = [MembershipInline, SpanInline]
    fields = [
        "name", "tag", "note", "game", "leader", "access", "most", "founded_at", "ended_at",
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Clan]:
        counted = super().get_queryset(request).annotate(size=Count("members"))
        return counted.select_related("game", "leader")

    @admin.display(description=gettext_lazy("members"))
    def size(self, clan: Clan) -> int:
        """How many are in it."""
        return int(getattr(clan, "size", 0))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Clan], search_term: str
    ) -> tuple[QuerySet[Clan], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        members = Membership.objects.filter(player__in=find_players(term).values("pk"))
        wanted = Q(pk__in=members.values("clan")) | Q(name__icontains=term) | Q(tag__iexact=term)
        if term.isdecimal() and len(term) < 19:
            wanted |= Q(pk=int(term))
        return queryset.filter(wanted), False

    def get_urls(self) -> list[URLPattern]:
        """Dissolving a clan."""
        view = self.admin_site.admin_view(self.dissolve_view)
        return [path("<int:pk>/dissolve/", view, name="clans_clan_dissolve"), *super().get_urls()]

    def dissolve_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Dissolve a clan in place of its leader."""
        require(request, ["clans.dissolve_clan"])
        clan = get_object_or_404(Clan.objects.select_related("game"), pk=pk, ended_at=None)
        members = Membership.objects.filter(clan=clan).select_related("player").order_by("pk")

        def act(actor: User, said: dict[str, Any]) -> str:
            dissolve_by(clan_id=pk, by=actor, note=said["note"])
            return _("The clan was dissolved.")

        admin_action = AdminAction(
            title=_("Dissolve clan %(number)s") % {"number": pk},
            button=_("Dissolve the clan"),
            template="admin/clans/clan/dissolve.html",
            act=act,
            back=reverse("admin:clans_clan_changelist"),
            form=NoteForm(request.POST or None),
            context={"players": [member.player for member in members]},
        )
        return carry_out(request, self.admin_site, clan, admin_action)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        clan = context.get("original")
        may = actor_of(request).has_perm("clans.dissolve_clan")
        context["can_dissolve"] = may and clan is not None and not clan.is_over
        return super().render_change_form(request, context, *args, **kwargs)
