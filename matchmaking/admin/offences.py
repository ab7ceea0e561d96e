"""Offences, read, and taken back with a reason; appeals against them."""

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
from foundation.read_only_admin import ReadOnlyAdmin
from matchmaking.conduct.moderation import MAY_TAKE_BACK, take_back
from matchmaking.conduct.own import REPORTED_KINDS
from matchmaking.models import Offence, OffenceAppeal
from ratings.admin.players import find_players
from ratings.players.own_matters import check_not_own, met_by, own_matter


@admin.register(Offence)
class OffenceAdmin(ReadOnlyAdmin[Offence]):
    """The latest first."""

    list_display = ["id", "player", "kind", "points", "at", "match", "taken_back_at"]
    list_select_related = ["player", "match"]
    list_filter = ["kind"]
    sortable_by = ()
    ordering = ["-id"]
    search_fields = ["=player__id"]
    search_help_text = gettext_lazy("Beginning of a name, or a number or id in the game.")
    fields = [
        "player",
        "kind",
        "points",
        "at",
        "match",
        "offer",
        "reporter",
        "decided_by",
        "reason",
        "cools_until",
        "taken_back_at",
        "taken_back_by",
        "taken_back_because",
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Offence]:
        """Without what others have reported of the own players: by match and reporter it would say who."""
        own = Q(player__user=actor_of(request), kind__in=REPORTED_KINDS)
        return super().get_queryset(request).exclude(own)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Offence], search_term: str
    ) -> tuple[QuerySet[Offence], bool]:
        if not search_term.strip():
            return queryset, False
        return queryset.filter(player__in=find_players(search_term).values("pk")), False

    def get_urls(self) -> list[URLPattern]:
        """Taking one back."""
        view = self.admin_site.admin_view(self.take_back_view)
        return [
            path("<int:pk>/take-back/", view, name="matchmaking_offence_take_back"),
            *super().get_urls(),
        ]

    def take_back_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Let an offence count no more."""
        require(request, [MAY_TAKE_BACK])
        offence = get_object_or_404(Offence.objects.select_related("player"), pk=pk)

        def act(actor: User, said: dict[str, Any]) -> str:
            take_back(offence, actor, said["note"])
            return _("The offence was taken back. The player was told.")

        def check() -> None:
            concerned = {offence.player_id, *met_by(offence.player_id)}
            check_not_own(actor_of(request), concerned, right=MAY_TAKE_BACK)

        admin_action = AdminAction(
            title=_("Take back offence %(number)s") % {"number": pk},
            button=_("Take it back"),
            template="admin/matchmaking/offence/take_back.html",
            act=act,
            back=reverse("admin:matchmaking_offence_change", args=[pk]),
            form=NoteForm(request.POST or None),
            context={
                "is_impossible": offence.taken_back_at is not None,
                "own_matter": own_matter(check),
            },
        )
        return carry_out(request, self.admin_site, offence, admin_action)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        may = actor_of(request).has_perm(MAY_TAKE_BACK)
        context["can_take_back"] = may and kwargs["obj"].taken_back_at is None
        return super().render_change_form(request, context, *args, **kwargs)


@admin.register(OffenceAppeal)
class OffenceAppealAdmin(ReadOnlyAdmin[OffenceAppeal]):
    """Those that wait first; they are decided on the moderators' desk."""

    list_display = ["id", "offence", "state", "made_at", "decided_at"]
    list_select_related = ["offence"]
    list_filter = ["state"]
    sortable_by = ()
    ordering = ["decided_at", "-id"]
    fields = ["offence", "text", "state", "made_at", "decided_at", "decided_by", "reason"]
