"""Making a player: the name under which an account plays a game."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from foundation import clock
from foundation.names import isolate
from foundation.refusals import RefusedError
from matchmaking.models import Queue
from matchmaking.pages.forms import NameForm
from matchmaking.pages.room import enter
from matchmaking.pages.views.actions import account_of, action, for_those_who_accept
from matchmaking.pages.views.queues import show_room
from ratings.players.claim import HasPlayerError, make_player

__all__ = ["name_player"]


@action
@for_those_who_accept
def name_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the account's player in the game of a queue, or say what is wrong with the name."""
    queues = Queue.objects.in_use().select_related("ladder__game")
    queue = get_object_or_404(queues, slug=slug)
    form = NameForm(request.POST)
    if form.is_valid():
        try:
            player = make_player(
                game=queue.ladder.game, user=account_of(request), name=form.cleaned_data["name"]
            )
        except HasPlayerError as refusal:
            messages.error(request, str(refusal))
            return redirect("room", queue.slug)
        except RefusedError as refusal:
            form.add_error("name", str(refusal))
        else:
            messages.success(request, _("You play as %(name)s.") % {"name": isolate(player.name)})
            if form.cleaned_data["party"]:
                return redirect("invitation", form.cleaned_data["party"])
            return redirect("room", queue.slug)
    found = enter(queue, account_of(request), clock.now())
    if found.stage != "newcomer":
        return redirect("room", queue.slug)
    response = show_room(request, found, "play/room.html", queue=queue, form=form)
    response.status_code = 422
    return response
