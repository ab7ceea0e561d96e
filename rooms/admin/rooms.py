"""Rooms: who is in them, and closing one that troubles people."""

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
from foundation.read_only_admin import ReadOnlyAdmin, ReadOnlyInline
from ratings.admin.players import find_players
from ratings.players.own_matters import check_not_own, own_matter
from rooms.lifecycle import MAY_CLOSE, close_by
from rooms.models import Room, RoomMember

__all__ = ["RoomAdmin"]


class RoomMemberInline(ReadOnlyInline[RoomMember, Room]):
    """Who is in it, and who was."""

    model = RoomMember
    fields = ("player", "seat", "live", "removed", "joined_at", "left_at")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[RoomMember]:
        return super().get_queryset(request).select_related("player")


@admin.register(Room)
class RoomAdmin(ReadOnlyAdmin[Room]):
    """For looking, but for closing one. Its code lets people in, so it is not shown."""

    change_form_template = "admin/rooms/room/change_form.html"
    list_display = ["id", "name", "game", "ladder", "host", "state", "created_at", "ended_at"]
    list_filter = ["state", "game"]
    list_select_related = ["game", "ladder", "host"]
    search_fields = ["=id"]
    search_help_text = gettext_lazy(
        "A room's number, or the beginning of the name of one of its players."
    )
    sortable_by = ["id"]
    inlines = [RoomMemberInline]
    fields = [
        "name", "note", "game", "ladder", "host", "category", "state", "access", "team_choice", "map_choice", "map",
        "start_rule", "rated", "options", "match", "created_at", "active_at", "ended_at",
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Room]:
        return super().get_queryset(request).select_related("game", "ladder", "host")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Room], search_term: str
    ) -> tuple[QuerySet[Room], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        members = RoomMember.objects.filter(player__in=find_players(term).values("pk"))
        wanted = Q(pk__in=members.values("room"))
        if term.isdecimal() and len(term) < 19:
            wanted |= Q(pk=int(term))
        return queryset.filter(wanted), False

    def get_urls(self) -> list[URLPattern]:
        """Closing a room."""
        view = self.admin_site.admin_view(self.close_view)
        return [path("<int:pk>/close/", view, name="rooms_room_close"), *super().get_urls()]

    def close_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Close a room in place of its host."""
        require(request, [MAY_CLOSE])
        room = get_object_or_404(Room.objects.select_related("game"), pk=pk)
        members = RoomMember.objects.filter(room=room, live=True).order_by("pk")

        def act(actor: User, said: dict[str, Any]) -> str:
            close_by(room_id=pk, by=actor, note=said["note"])
            return _("The room was closed. Its players can open another, or search.")

        admin_action = AdminAction(
            title=_("Close room %(number)s") % {"number": pk},
            button=_("Close the room"),
            template="admin/rooms/room/close.html",
            act=act,
            back=reverse("admin:rooms_room_change", args=[pk]),
            form=NoteForm(request.POST or None),
            context={
                "players": [member.player for member in members.select_related("player")],
                "is_impossible": not room.is_live,
                "own_matter": own_matter(
                    lambda: check_not_own(
                        actor_of(request), members.values_list("player", flat=True), right=MAY_CLOSE
                    )
                ),
            },
        )
        return carry_out(request, self.admin_site, room, admin_action)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        may = actor_of(request).has_perm(MAY_CLOSE)
        context["can_close"] = may and kwargs["obj"].is_live
        return super().render_change_form(request, context, *args, **kwargs)
