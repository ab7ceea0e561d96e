"""Searching, cancelling, and answering offers. Nobody acts on another's ticket; a party's is each member's own."""

from contextlib import suppress
from urllib.parse import urlencode, urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from accounts.page_actions import (
    account_of,
    action,
    for_those_who_accept,
    number_in,
    refusals_as_messages,
)
from foundation import clock
from foundation.page_parts import wants_part
from matchmaking.models import Queue, Ticket
from matchmaking.offers import answer
from matchmaking.pages.preference_form import SearchForm, asks_for
from matchmaking.pages.queue_page import read_page
from matchmaking.pages.views.queues import options_of, show_page
from matchmaking.partners import ask
from matchmaking.tickets import lifecycle
from matchmaking.tickets.saved_preferences import prefer, search_as_saved, wanted_by
from ratings.models import Player

__all__ = [
    "accept",
    "cancel",
    "decline",
    "keep_options",
    "search_match",
    "still_there",
    "want_partner",
]

# What the form of options sends besides them: none of its boxes need be ticked.
_HAS_OPTIONS = "options"
# Forms whose answer may be a page by itself: nobody can go back to that.
_ANSWERS = {"search-match", "search-options", "name-player"}


@action
@for_those_who_accept
def search_match(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin to search; who has no player in the game yet is asked for a name on the page of the queue."""
    queue, player = _queue_and_player(request, slug)
    if player is not None:
        wrong = _keep_options(request, queue, player)
        if wrong is not None:
            return wrong
        with refusals_as_messages(request):
            wants_partner = bool(request.POST.get("partner"))
            search_as_saved(queue=queue, player=player, wants_partner=wants_partner)
    return redirect("queue", queue.slug)


@action
def keep_options(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep the search options for the next search: of the player, or of the party's leader for all."""
    queue, player = _queue_and_player(request, slug)
    if player is not None:
        wrong = _keep_options(request, queue, player)
        if wrong is not None:
            return wrong
        messages.success(request, _("Your options are saved for the next search."))
    return redirect("queue", queue.slug)


@action
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """End a search. Where the match has won, the page shows the match."""
    ticket = _own_ticket(request, pk)
    with refusals_as_messages(request):
        player = _own_player(request, ticket)
        lifecycle.cancel(ticket_id=ticket.pk, declines=True, player=player)
        messages.success(request, _("Your search has ended."))
    return redirect("queue", ticket.queue.slug)


@action
def still_there(request: HttpRequest, pk: int) -> HttpResponse:
    """Say that one is still there. From the bar it leads back to the same page."""
    ticket = _own_ticket(request, pk)
    lifecycle.answer_still_there(ticket.pk)
    return redirect(_page_of(request) or reverse("queue", args=[ticket.queue.slug]))


@action
def want_partner(request: HttpRequest, pk: int) -> HttpResponse:
    """Say whether a partner of the game is wanted if nobody comes."""
    ticket = _own_ticket(request, pk)
    with refusals_as_messages(request):
        ask.want(ticket_id=ticket.pk, wants=request.POST.get("wanted") == "1")
    return redirect("queue", ticket.queue.slug)


@action
def accept(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept the offer that the page showed."""
    ticket = _own_ticket(request, pk)
    with refusals_as_messages(request):
        answer.accept(ticket_id=ticket.pk, offer_id=number_in(request, "offer"))
    return redirect("queue", ticket.queue.slug)


@action
def decline(request: HttpRequest, pk: int) -> HttpResponse:
    """Decline the offer that the page showed, and end the search. From the bar it leads back to the same page."""
    ticket = _own_ticket(request, pk)
    with refusals_as_messages(request):
        player = _own_player(request, ticket)
        answer.decline(ticket_id=ticket.pk, offer_id=number_in(request, "offer"), player=player)
        said = _("You declined, so your search in %(queue)s has ended.")
        messages.success(request, said % {"queue": ticket.queue.name})
    return redirect(_page_of(request) or reverse("queue", args=[ticket.queue.slug]))


def _queue_and_player(request: HttpRequest, slug: str) -> tuple[Queue, Player | None]:
    queues = Queue.objects.in_use().select_related("ladder__game")
    queue = get_object_or_404(queues, slug=slug)
    own = Player.objects.filter(game=queue.ladder.game_id, user=account_of(request))
    return queue, own.first()


def _keep_options(request: HttpRequest, queue: Queue, player: Player) -> HttpResponse | None:
    """Keep what was sent along; the page with what is wrong of it, else None."""
    if _HAS_OPTIONS not in request.POST:
        return None
    asked = asks_for(queue, leads=request.POST[_HAS_OPTIONS] != "own")
    before = wanted_by(player.pk, queue)
    form = SearchForm(request.POST, queue=queue, asked=asked, before=before)
    if form.is_valid():
        prefer(player=player, queue=queue, wanted=form.wanted)
        return None
    found = read_page(queue, account_of(request), clock.now())
    if options_of(found) is None:
        return redirect("queue", queue.slug)
    again = f"{reverse('queue', args=[queue.slug])}?{urlencode({'seen': found.version})}"
    response = show_page(request, found, "play/queue.html", queue=queue, options=form, again=again)
    if not wants_part(request):  # htmx shows what is wrong of answers that are well only
        response.status_code = 422
    return response


def _page_of(request: HttpRequest) -> str:
    """The page of this site on which a form was sent; empty where that is unknown, or is the answer to a form."""
    page = request.headers.get("Referer", "")
    here = {request.get_host()}
    if wants_part(request) or not url_has_allowed_host_and_scheme(page, allowed_hosts=here):
        return ""
    address = urlsplit(page)
    with suppress(Resolver404):
        if resolve(address.path).url_name not in _ANSWERS:
            return address._replace(scheme="", netloc="").geturl()
    return ""


def _own_ticket(request: HttpRequest, pk: int) -> Ticket:
    own = Ticket.objects.filter(members__player__user=account_of(request))
    return get_object_or_404(own.select_related("queue"), pk=pk)


def _own_player(request: HttpRequest, ticket: Ticket) -> int | None:
    """The account's player on the ticket."""
    own = ticket.members.filter(player__user=account_of(request))
    return own.values_list("player", flat=True).first()
