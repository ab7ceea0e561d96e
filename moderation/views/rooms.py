"""The desk's rooms: those that are live, what one is like, and closing one that troubles people."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.page_actions import account_of
from foundation.refusals import RefusedError
from moderation.forms import CloseRoomForm
from moderation.views.desk import for_moderators
from rooms.lifecycle import MAY_CLOSE, close_by
from rooms.models import Room, RoomMember
from talk.listen import lines_about

__all__ = ["close_room", "desk_rooms", "show_room"]

_PAGE = 50


@require_safe
@for_moderators
def desk_rooms(request: HttpRequest) -> HttpResponse:
    """Rooms in which somebody is, the newest first."""
    here = Count("members", filter=Q(members__live=True))
    rooms = Room.objects.filter(ended_at=None).select_related("game", "ladder", "host")
    page = Paginator(rooms.annotate(here=here).order_by("-pk"), _PAGE)
    context = {"page": page.get_page(request.GET.get("page"))}
    return render(request, "moderation/rooms.html", context)


@require_safe
@for_moderators
def show_room(request: HttpRequest, pk: int) -> HttpResponse:
    """One room: who is in it, what it says of itself, and what was written there."""
    return _show(request, _room(pk), CloseRoomForm())


@require_POST
@for_moderators
def close_room(request: HttpRequest, pk: int) -> HttpResponse:
    """Close a room in place of its host. Those in it are told why."""
    room, user = _room(pk), account_of(request)
    if not user.has_perm(MAY_CLOSE):
        raise PermissionDenied
    form = CloseRoomForm(request.POST)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        try:
            close_by(room_id=pk, by=user, note=reason, reason=reason)
        except RefusedError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The room is closed. Those who were in it are told why."))
            return redirect("desk-rooms")
    return _show(request, room, form)


def _room(pk: int) -> Room:
    return get_object_or_404(Room.objects.select_related("game", "ladder", "host"), pk=pk)


def _show(request: HttpRequest, room: Room, form: CloseRoomForm) -> HttpResponse:
    user = account_of(request)
    here = RoomMember.objects.filter(room=room, live=True).select_related("player")
    context: dict[str, Any] = {
        "room": room,
        "members": list(here.order_by("joined_at", "pk")),
        # Numbers of rooms mean nothing to parties and matches, which have lines of their own.
        "lines": lines_about({"room": room.pk}) if user.has_perm("talk.view_line") else [],
        "form": form if room.is_live and user.has_perm(MAY_CLOSE) else None,
    }
    status = 422 if form.errors else 200
    return render(request, "moderation/room.html", context, status=status)
