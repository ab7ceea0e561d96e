"""A disputed match of one's own: what is said to the operator who decides it, and calling one."""

from http import HTTPStatus
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.page_actions import action, refusals_as_messages
from foundation import clock
from matchmaking.pages.own_match import own_match_view
from matchmaking.pages.queue_page import MatchPage
from matchmaking.pages.views.matches import own_match
from matchmaking.pages.views.queues import show_page
from ratings import disputes

__all__ = ["call_operator", "state"]


@action
def state(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a comment and a link to a proof for the operator."""
    match, participant = own_match(request, pk)
    typed = {name: request.POST.get(name, "") for name in ("comment", "proof")}
    try:
        with refusals_as_messages(request):
            disputes.state(match_id=match.pk, player_id=participant.player_id, **typed)
            messages.success(request, _("Saved. The admin who decides this match will read it."))
    except disputes.WrongStatementError as wrong:
        messages.error(request, str(wrong))
        now = clock.now()
        found = MatchPage(now=now, own_match=own_match_view(match, participant.player_id, now))
        again = f"{reverse('play-match', args=[pk])}?{urlencode({'seen': found.version})}"
        response = show_page(
            request, found, "play/match.html", match=match, typed=typed, again=again
        )
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
        return response
    return redirect("play-match", match.pk)


@action
def call_operator(request: HttpRequest, pk: int) -> HttpResponse:
    """Put the match before those for which nobody has called."""
    match, participant = own_match(request, pk)
    with refusals_as_messages(request):
        disputes.call_operator(match_id=match.pk, player_id=participant.player_id)
        messages.success(request, _("An admin has been called and will look at this match."))
    return redirect("play-match", match.pk)
