"""The page of a room's link for an account that has no player in the game yet: who invites, and to what."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts.page_actions import account_of, action, for_those_who_accept
from matchmaking.pages.forms import NameForm
from matchmaking.pages.views.new_player import take_name
from matchmaking.parties.lifecycle import plain_code
from ratings.merging.meant import lent_by, say_lent
from rooms.models import Room, RoomState

__all__ = ["come_with_a_name", "show_invited"]


def show_invited(
    request: HttpRequest, room: Room, code: str, form: NameForm | None = None
) -> HttpResponse:
    """Ask for a name in the game of a live room whose code the link has. Codes of before are told so; without one there
    is no such page. `form`: a name that was refused.
    """
    if not code:
        raise Http404
    if room.state != RoomState.OPEN or code != room.code:
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
    if room.state != RoomState.OPEN or code != room.code:
        return show_invited(request, room, code)
    form = NameForm(request.POST)
    if not take_name(request, room.game, form):
        return show_invited(request, room, code, form)
    return redirect(f"{reverse('room', args=[pk])}?{urlencode({'code': code})}")
