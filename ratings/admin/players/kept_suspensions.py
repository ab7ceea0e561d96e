"""Suspensions of people who were deleted, for whoever has the same id in the game next: listed and forgotten."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import actor_of
from accounts.models import User
from foundation.read_only_admin import ReadOnlyAdmin, own_pages
from ratings.admin.players.sanctions import MAY_LIFT
from ratings.models import Game, KeptSuspension
from ratings.sanctions.kept import digest_of, forget_kept

__all__ = ["KeptSuspensionAdmin"]

_MAY_VIEW = "ratings.view_sanction"


@admin.register(KeptSuspension)
class KeptSuspensionAdmin(ReadOnlyAdmin[KeptSuspension]):
    """The newest first. Nobody can read whose they are: whoever is told an id finds what waits for it."""

    change_form_template = "admin/ratings/players/kept_suspensions/change_form.html"
    list_display = ["__str__", "game", "suspended_from", "until"]
    list_filter = ["suspended_from", "game"]
    list_select_related = ["game"]
    search_fields = ["digest"]
    search_help_text = gettext_lazy("An id in the game, whole and exactly as the game writes it.")
    sortable_by = ()
    fields = ["game", "suspended_from", "until"]

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may view sanctions, or lift them."""
        return any(request.user.has_perm(name) for name in (_MAY_VIEW, MAY_LIFT))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[KeptSuspension], search_term: str
    ) -> tuple[QuerySet[KeptSuspension], bool]:
        if not search_term.strip():
            return queryset, False
        games = Game.objects.values_list("pk", flat=True)
        digests = [digest_of(game, search_term) for game in games]
        return queryset.filter(digest__in=digests), False

    def get_urls(self) -> list[URLPattern]:
        """Forgetting one."""
        views = {"<id:pk>/forget/": ("ratings_keptsuspension_forget", forget_one)}
        return own_pages(self.admin_site, views) + super().get_urls()

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context["can_forget"] = actor_of(request).has_perm(MAY_LIFT)
        return super().render_change_form(request, context, *args, **kwargs)


def forget_one(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Forget a suspension before it ends."""
    require(request, [MAY_LIFT])
    kept = get_object_or_404(KeptSuspension.objects.select_related("game"), pk=pk)

    def act(actor: User, said: dict[str, Any]) -> str:
        forget_kept(pk=pk, by=actor, note=said["note"])
        return _("The suspension is forgotten.")

    admin_action = AdminAction(
        title=_("Forget a suspension of somebody deleted"),
        button=_("Forget"),
        template="admin/ratings/players/kept_suspensions/forget.html",
        act=act,
        back=reverse("admin:ratings_keptsuspension_changelist"),
        form=NoteForm(request.POST or None),
    )
    return carry_out(request, site, kept, admin_action)
