"""The operator's pages of talk: its rules by game, and what was said, for those who look into reports."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import AuditedAdmin, actor_of
from accounts.models import User
from foundation.read_only_admin import BoundedPaginator, ReadOnlyAdmin
from ratings.admin.players import find_players
from ratings.players.own_matters import own_matter
from talk.hide import check_hide, hide
from talk.models import Line, TalkRules

__all__ = ["LineAdmin", "TalkRulesAdmin"]


@admin.register(TalkRules)
class TalkRulesAdmin(AuditedAdmin[TalkRules]):
    """A game without rules has no talk."""

    list_display = ["game", "is_on", "keep_days", "lines_a_minute", "open_minutes"]
    list_select_related = ["game"]
    actions = None

    def get_readonly_fields(self, request: HttpRequest, obj: TalkRules | None = None) -> list[str]:
        return [] if obj is None else ["game"]

    def has_delete_permission(self, request: HttpRequest, obj: TalkRules | None = None) -> bool:
        """Switched off, its rules still say how long lines are kept."""
        return False


@admin.register(Line)
class LineAdmin(ReadOnlyAdmin[Line]):
    """The latest first. Only hiding one changes it."""

    change_form_template = "admin/talk/line/change_form.html"
    list_display = ["id", "game", "author", "text", "said_at", "hidden_at"]
    list_filter = ["game"]
    list_select_related = ["game", "author"]
    list_per_page = 50
    paginator = BoundedPaginator
    show_full_result_count = False
    sortable_by = ()
    search_fields = ["=author__id"]
    search_help_text = gettext_lazy(
        "Beginning of an author's name, or its number or id in the game."
    )
    fields = ["game", "party", "room", "match", "team", "author", "text", "said_at", "hidden_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Line]:
        return (
            super().get_queryset(request).select_related("game", "author", "party", "room", "match")
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Line], search_term: str
    ) -> tuple[QuerySet[Line], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        return queryset.filter(Q(author__in=find_players(term).values("pk"))), False

    def get_urls(self) -> list[URLPattern]:
        """Hiding a line."""
        view = self.admin_site.admin_view(self.hide_view)
        return [path("<int:pk>/hide/", view, name="talk_line_hide"), *super().get_urls()]

    def hide_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take a line out of the players' sight."""
        require(request, ["talk.change_line"])
        line = get_object_or_404(Line.objects.select_related("author"), pk=pk)

        def act(actor: User, said: dict[str, Any]) -> str:
            hide(line_id=pk, by=actor, note=said["note"])
            return _("No player sees the line any more.")

        admin_action = AdminAction(
            title=_("Hide line %(number)s") % {"number": pk},
            button=_("Hide the line"),
            template="admin/talk/line/hide.html",
            act=act,
            back=reverse("admin:talk_line_change", args=[pk]),
            form=NoteForm(request.POST or None),
            context={
                "is_impossible": line.hidden_at is not None,
                "own_matter": own_matter(lambda: check_hide(actor_of(request), line)),
            },
        )
        return carry_out(request, self.admin_site, line, admin_action)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        may = actor_of(request).has_perm("talk.change_line")
        context["can_hide"] = may and kwargs["obj"].hidden_at is None
        return super().render_change_form(request, context, *args, **kwargs)
