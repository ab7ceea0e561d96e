"""What is pressed in a room: each a form that leads back to it, or to its match."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts.page_actions import (
    action,
    for_those_who_accept,
    number_in,
    refusals_as_messages,
)
from ratings.models import Player
from rooms import coming, lifecycle, start
from rooms.models import Room, RoomMember
from rooms.pages.views import player_in
from rooms.seen import may_see

__all__ = [
    "close",
    "hand_over",
    "join",
    "leave",
    "pick",
    "ready",
    "remove",
    "sit",
    "start_room",
    "strike",
    "vote",
    "watch",
]


@action
@for_those_who_accept
def join(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a seat, the first that is free or the one that was pressed."""
    code, seat = request.POST.get("code", ""), number_in(request, "seat")
    return _act(request, pk, lambda it: coming.join(room_id=pk, player=it, code=code, seat=seat))


@action
@for_those_who_accept
def watch(request: HttpRequest, pk: int) -> HttpResponse:
    """Look on."""
    code = request.POST.get("code", "")
    return _act(request, pk, lambda it: coming.watch(room_id=pk, player=it, code=code))


@action
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave the room, and go to the list."""
    said = _("You have left the room.")
    _act(request, pk, lambda it: lifecycle.leave(room_id=pk, player=it), said)
    return redirect("rooms")


@action
def sit(request: HttpRequest, pk: int) -> HttpResponse:
    """Take another seat."""
    seat = number_in(request, "seat") or 0
    return _act(request, pk, lambda it: lifecycle.sit_at(room_id=pk, player=it, seat=seat))


@action
def ready(request: HttpRequest, pk: int) -> HttpResponse:
    """Be ready, or no longer."""
    is_ready = request.POST.get("ready") == "1"
    return _act(
        request, pk, lambda it: lifecycle.set_ready(room_id=pk, player=it, is_ready=is_ready)
    )


@action
def vote(request: HttpRequest, pk: int) -> HttpResponse:
    """Vote for a map."""
    name = request.POST.get("map", "")
    return _act(request, pk, lambda it: lifecycle.vote_for(room_id=pk, player=it, map_name=name))


@action
def pick(request: HttpRequest, pk: int) -> HttpResponse:
    """Pick a player, as a captain."""
    player = number_in(request, "player") or 0
    return _act(request, pk, lambda it: start.pick(room_id=pk, by=it, player=player))


@action
def strike(request: HttpRequest, pk: int) -> HttpResponse:
    """Strike out a map, as a captain."""
    name = request.POST.get("map", "")
    return _act(request, pk, lambda it: start.strike(room_id=pk, by=it, map_name=name))


@action
@for_those_who_accept
def start_room(request: HttpRequest, pk: int) -> HttpResponse:
    """Begin, as the host; with captains who were ticked."""
    ticked = [
        int(one) for one in request.POST.getlist("captain") if one.isdigit() and len(one) < 19
    ]
    return _act(request, pk, lambda it: start.start(room_id=pk, by=it, captains=ticked))


@action
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a player away, as the host."""
    player = number_in(request, "player") or 0
    said = _("The player is removed and can't come back. The room has a new code.")
    return _act(request, pk, lambda it: lifecycle.remove(room_id=pk, by=it, player=player), said)


@action
def hand_over(request: HttpRequest, pk: int) -> HttpResponse:
    """Let another member be host."""
    to = number_in(request, "player") or 0
    said = _("The room has a new host.")
    return _act(request, pk, lambda it: lifecycle.hand_over(room_id=pk, by=it, to=to), said)


@action
def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Close the room, as the host, and go to the list."""
    said = _("The room is closed.")
    _act(request, pk, lambda it: lifecycle.close_room(room_id=pk, by=it), said)
    return redirect("rooms")


def _act(
    request: HttpRequest, pk: int, act: Callable[[Player], object], said: str = ""
) -> HttpResponse:
    """Let the account's player do something, and go back to the room; with its match, to that. Whoever has none in the
    game yet names one first, if they have the room's code.
    """
    room = get_object_or_404(Room.objects.select_related("game"), pk=pk)
    player = player_in(request, room.game)
    if player is not None:
        with refusals_as_messages(request):
            act(player)
            if said:
                messages.success(request, said)
    room.refresh_from_db(fields=["match", "state"])
    sat = RoomMember.objects.filter(room=room, player=player, seat__isnull=False, removed=False)
    if room.match_id is not None and sat.exists():
        return redirect("play-match", room.match_id)
    address = reverse("room", args=[pk])
    code = request.POST.get("code", "")
    if not may_see(room, player) and (player is not None or not code):
        return redirect("rooms")
    return redirect(f"{address}?{urlencode({'code': code})}" if code else address)
