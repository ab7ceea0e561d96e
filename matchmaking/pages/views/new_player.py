"""Making a player: the name under which an account plays a game."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from accounts.page_actions import account_of, action, for_those_who_accept
from foundation import clock
from foundation.names import isolate
from foundation.refusals import RefusedError
from matchmaking.models import Queue
from matchmaking.pages.forms import NameForm
from matchmaking.pages.queue_page import read_page
from matchmaking.pages.views.queues import show_page
from ratings.merging.meant import lent_by, say_lent
from ratings.models import Game
from ratings.players.claim import HasPlayerError, make_player

__all__ = ["name_player", "naming", "take_name"]

# Key of a session: a name that was refused to who came from a link, for the page of that link to say so.
_REFUSED = "refused_name"


def naming(
    request: HttpRequest, game: Game, *, then: str, queue: Queue | None = None
) -> dict[str, Any]:
    """What `play/people/_naming.html` shows an account that has no player in a game: a form for its name, which leads
    on to `then`; or whose player plays there for it. `queue`: in which to name it; by default any of the game's.
    """
    user = account_of(request)
    lent = lent_by(user, game.pk)
    # One that is closed will do: it is the game that matters.
    queues = Queue.objects.in_use().filter(ladder__game=game).order_by("-is_open", "name", "pk")
    queue, form = queue or queues.first(), None
    if lent is None and queue is not None:
        refused = request.session.pop(_REFUSED, {})
        if refused.get("then") == then:
            form = NameForm({"name": refused["name"], "then": then})
            if form.is_valid():  # as far as the form can see by itself
                form.add_error("name", refused["words"])
        else:
            form = NameForm.suggesting(game, user)
            form.initial["then"] = then
    return {"queue": queue, "form": form, "lent": say_lent(lent) if lent else ""}


def take_name(request: HttpRequest, game: Game, form: NameForm) -> bool:
    """Make the account's player in a game, as a form calls it; whether the account has one now. Else the form says what
    is wrong with the name.
    """
    if not form.is_valid():
        return False
    try:
        player = make_player(game=game, user=account_of(request), name=form.cleaned_data["name"])
    except HasPlayerError as refusal:
        messages.error(request, str(refusal))
    except RefusedError as refusal:
        form.add_error("name", str(refusal))
        return False
    else:
        messages.success(request, _("You play as %(name)s.") % {"name": isolate(player.name)})
    return True


@action
@for_those_who_accept
def name_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the account's player in the game of a queue, or say what is wrong with the name."""
    queues = Queue.objects.in_use().select_related("ladder__game")
    queue = get_object_or_404(queues, slug=slug)
    form = NameForm(request.POST)
    if take_name(request, queue.ladder.game, form):
        return _onward(form, queue)
    if (then := _then(form)) is not None:
        words = [str(one) for one in form.errors.get("name", [])]
        refused = {"then": then, "name": form.data.get("name", ""), "words": words}
        request.session[_REFUSED] = refused
        return redirect(then)
    found = read_page(queue, account_of(request), clock.now())
    if found.stage != "newcomer":
        return redirect("queue", queue.slug)
    response = show_page(request, found, "play/queue.html", queue=queue, form=form)
    response.status_code = 422
    return response


def _onward(form: NameForm, queue: Queue) -> HttpResponse:
    """Whence the name was asked for; the queue, where that is nowhere on this site."""
    then = _then(form)
    return redirect("queue", queue.slug) if then is None else redirect(then)


def _then(form: NameForm) -> str | None:
    """The address on this site that the form leads on to, if it has one."""
    then = str(form.cleaned_data.get("then", ""))
    is_here = then.startswith("/") and url_has_allowed_host_and_scheme(then, None)
    return then if is_here else None
