"""Groups: who is in them, and dissolving one that troubles people."""

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
from foundation.read_only_admin import ReadOnlyAdmin, ReadOnlyInline
from groups.lifecycle import dissolve_by
from groups.models import Group, Membership
from ratings.admin.players import find_players

__all__ = ["GroupAdmin"]


class MembershipInline(ReadOnlyInline[Membership, Group]):
    """Who is in it."""

    model = Membership
    fields = ("player", "joined_at")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        return super().get_queryset(request).select_related("player")


@admin.register(Group)
class GroupAdmin(ReadOnlyAdmin[Group]):
    """For looking, but for dissolving one. Who is invited or was removed is the group's own matter."""

    change_form_template = "admin/groups/group/change_form.html"
    list_display = ["id", "title", "game", "owner", "access", "size", "most", "created_at"]
    list_filter = ["access", "is_drawn", "game"]
    list_select_related = ["game", "owner"]
    search_fields = ["=id"]
    search_help_text = gettext_lazy(
        "A group's number, words of its name, or the beginning of the name of one of its players."
    )
    sortable_by = ["id"]
    inlines = [MembershipInline]
    fields = [
        "name", "note", "game", "owner", "access", "most", "is_drawn", "ends_at", "created_at",
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Group]:
        counted = super().get_queryset(request).annotate(size=Count("members"))
        return counted.select_related("game", "owner")

    @admin.display(description=gettext_lazy("members"))
    def size(self, group: Group) -> int:
        """How many are in it."""
        return int(getattr(group, "size", 0))

    @admin.display(description=gettext_lazy("name"))
    def title(self, group: Group) -> str:
        """Also of a random group that nobody has named."""
        return group.title

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Group], search_term: str
    ) -> tuple[QuerySet[Group], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        members = Membership.objects.filter(player__in=find_players(term).values("pk"))
        wanted = Q(pk__in=members.values("group")) | Q(name__icontains=term)
        if term.isdecimal() and len(term) < 19:
            wanted |= Q(pk=int(term))
        return queryset.filter(wanted), False

    def get_urls(self) -> list[URLPattern]:
        """Dissolving a group."""
        view = self.admin_site.admin_view(self.dissolve_view)
        return [path("<int:pk>/dissolve/", view, name="groups_group_dissolve"), *super().get_urls()]

    def dissolve_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Dissolve a group in place of its owner."""
        require(request, ["groups.dissolve_group"])
        group = get_object_or_404(Group.objects.select_related("game"), pk=pk)
        members = Membership.objects.filter(group=group).select_related("player").order_by("pk")

        def act(actor: User, said: dict[str, Any]) -> str:
            dissolve_by(group_id=pk, by=actor, note=said["note"])
            return _("The group was dissolved.")

        admin_action = AdminAction(
            title=_("Dissolve group %(number)s") % {"number": pk},
            button=_("Dissolve the group"),
            template="admin/groups/group/dissolve.html",
            act=act,
            back=reverse("admin:groups_group_changelist"),
            form=NoteForm(request.POST or None),
            context={"players": [member.player for member in members]},
        )
        return carry_out(request, self.admin_site, group, admin_action)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context["can_dissolve"] = actor_of(request).has_perm("groups.dissolve_group")
        return super().render_change_form(request, context, *args, **kwargs)
