"""Searching, cancelling, and answering offers. Nobody acts on another's ticket."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from matchmaking import offers, queueing
from matchmaking.models import Queue, Ticket
from matchmaking.views.actions import account_of, action, telling_refusals
from ratings.models import Player

__all__ = ["accept", "cancel", "decline", "search_match"]


@action
def search_match(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin to search; who has no player in the game yet is asked for a name on the page of the queue."""
    queue = get_object_or_404(Queue.objects.select_related("ladder"), slug=slug)
    player = Player.objects.filter(game=queue.ladder.game_id, user=account_of(request)).first()
    if player is not None:
        with telling_refusals(request):
            queueing.join(queue=queue, player=player)
    return redirect("room", queue.slug)


@action
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """End a search. Where the match has won, the page shows the match."""
    ticket = _own_ticket(request, pk)
    with telling_refusals(request):
        queueing.leave(ticket_id=ticket.pk)
        messages.success(request, _("Your search has ended."))
    return redirect("room", ticket.queue.slug)


@action
def accept(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept the offer that the page showed."""
    ticket = _own_ticket(request, pk)
    with telling_refusals(request):
        offers.accept(ticket_id=ticket.pk, offer_id=_shown_offer(request))
    return redirect("room", ticket.queue.slug)


@action
def decline(request: HttpRequest, pk: int) -> HttpResponse:
    """Decline the offer that the page showed, and end the search."""
    ticket = _own_ticket(request, pk)
    with telling_refusals(request):
        offers.decline(ticket_id=ticket.pk, offer_id=_shown_offer(request))
        messages.success(request, _("You declined, so your search has ended."))
    return redirect("room", ticket.queue.slug)


def _own_ticket(request: HttpRequest, pk: int) -> Ticket:
    own = Ticket.objects.filter(members__player__user=account_of(request))
    return get_object_or_404(own.select_related("queue"), pk=pk)


def _shown_offer(request: HttpRequest) -> int | None:
    """The offer that stood on the page; None where the form does not say."""
    given = request.POST.get("offer", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 19 else None
