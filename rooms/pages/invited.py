"""The page of a room's link for who is signed out or has no player in the game yet: who invites, and to what."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts.page_actions import account_of, action, for_those_who_accept
from foundation.page_parts import wants_part
from matchmaking.pages.forms import NameForm
from matchmaking.pages.views.new_player import take_name
from matchmaking.parties.lifecycle import plain_code
from ratings.merging.meant import lent_by, say_lent
from rooms.models import Room, RoomState

__all__ = ["come_with_a_name", "show_invited", "show_to_visitor"]


def show_to_visitor(request: HttpRequest, pk: int, code: str) -> HttpResponse:
    """Show who is signed out the room whose code the link has, with the ways in and back. Without its code a room that
    is there looks like one that is not: both lead to sign-in.
    """
    rooms = Room.objects.select_related("ladder__game", "game", "host")
    room = rooms.filter(pk=pk, game__archived_at=None).first()
    # A part belongs to the page of somebody who has been signed out since.
    if room is None or wants_part(request) or not _has_its_code(room, code):
        return redirect_to_login(request.get_full_path())
    return render(request, "rooms/invited.html", {"room": room, "then": _address_of(room)})


def show_invited(
    request: HttpRequest, room: Room, code: str, form: NameForm | None = None
) -> HttpResponse:
    """Ask for a name in the game of a live room whose code the link has. Codes of before are told so; without one there
    is no such page. `form`: a name that was refused.
    """
    if not code:
        raise Http404
    if not _has_its_code(room, code):
        words = _("No room has this code. It may have started, or have a new code.")
        messages.error(request, words)
        return redirect("rooms")
    lent = lent_by(account_of(request), room.game_id)
    context = {
        "room": room,
        "code": code,
        "lent": say_lent(lent) if lent else "",
        "form": form or NameForm.suggesting(room.game, account_of(request)),
    }
    status = 422 if form is not None else 200
    return render(request, "rooms/invited.html", context, status=status)


@action
@for_those_who_accept
def come_with_a_name(request: HttpRequest, pk: int) -> HttpResponse:
    """Make the account's player in the game of a room, and lead to the room."""
    rooms = Room.objects.select_related("ladder__game", "game", "host")
    room = get_object_or_404(rooms, pk=pk, game__archived_at=None)
    code = plain_code(request.POST.get("code", ""))
    if not _has_its_code(room, code):
        return show_invited(request, room, code)
    form = NameForm(request.POST)
    if not take_name(request, room.game, form):
        return show_invited(request, room, code, form)
    return redirect(_address_of(room))


def _has_its_code(room: Room, code: str) -> bool:
    """Whether a link with this code invites into the room now."""
    return bool(code) and room.state == RoomState.OPEN and code == room.code


def _address_of(room: Room) -> str:
    """The room's link: its address with its code."""
    return f"{reverse('room', args=[room.pk])}?{urlencode({'code': room.code})}"
