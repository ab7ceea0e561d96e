"""The page of one queue: search, offer, match and result, in turn."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from foundation import clock
from foundation.parts import ask_again, asks_again, is_unchanged, nothing_new, show
from matchmaking.forms import NameForm
from matchmaking.models import Queue
from matchmaking.rooms import MeetingRoom, enter
from matchmaking.views.actions import account_of

__all__ = ["room", "show_room"]


@require_safe
def room(request: HttpRequest, slug: str) -> HttpResponse:
    """What the visitor sees in a queue now. htmx asks again and again for the part that changes."""
    queue = get_object_or_404(Queue.objects.select_related("ladder__game"), slug=slug)
    found = enter(queue, request.user, clock.now())
    form = None
    if found.stage == "stranger":
        form = NameForm.suggesting(queue.ladder.game, account_of(request))
    return show_room(request, found, "play/room.html", queue=queue, form=form)


def show_room(
    request: HttpRequest, found: MeetingRoom, template: str, **context: object
) -> HttpResponse:
    """Render a room, or the part of it that changes; 204 when the page shows it already."""
    if is_unchanged(request, found.version):
        return nothing_new()
    before = request.GET.get("seen", "").partition("-")[0]
    told = asks_again(request) and before == found.whole_stage
    context |= {
        "room": found,
        "again": ask_again(request, found.version),
        "is_news": not told,
        "now": found.now,
    }
    return show(request, template, context, part="play/_state.html")
