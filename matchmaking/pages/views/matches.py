"""A match of one's own: what is to be done, and reporting how it ended."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foundation import clock
from foundation.page_parts import is_unchanged, nothing_new
from matchmaking.models import Queue
from matchmaking.pages.forms import LEFT, ReportForm
from matchmaking.pages.own_match import meeting_of, own_seat
from matchmaking.pages.queue_page import meet
from matchmaking.pages.views.actions import account_of, action, telling_refusals
from matchmaking.pages.views.queues import show_room
from ratings.matches import report as reporting
from ratings.models import Match, Outcome, Participant

__all__ = ["own_match", "play_match", "report"]


@login_required
@require_safe
def play_match(request: HttpRequest, pk: int) -> HttpResponse:
    """A match by itself, for those who took part: also one that the game has arranged."""
    match, seat = own_match(request, pk)
    now = clock.now()
    found = meet(meeting_of(match, seat.player_id, now), now)
    if is_unchanged(request, found.version):
        return nothing_new()
    return show_room(request, found, "play/match.html", match=match)


@action
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a player's word on how a match ended; the same word again changes nothing."""
    match, seat = own_match(request, pk)
    form = ReportForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose how the match ended."))
        return redirect("play-match", match.pk)
    said, place = form.cleaned_data["outcome"], form.cleaned_data["place"]
    if place and form.cleaned_data["shared"]:
        said = Outcome.DRAWN
    with telling_refusals(request):
        if said == LEFT:
            reporting.leave(match_id=match.pk, player_id=seat.player_id)
        else:
            reporting.report(
                match_id=match.pk,
                player_id=seat.player_id,
                outcome=Outcome(said) if said else None,
                place=place,
            )
    return _back(match, form.cleaned_data["queue"])


def own_match(request: HttpRequest, pk: int) -> tuple[Match, Participant]:
    """A match that the account takes part in, and its seat there; 404 for any other."""
    match = get_object_or_404(Match.objects.select_related("ladder__game", "offer"), pk=pk)
    seat = own_seat(match, account_of(request).pk)
    if seat is None:
        raise Http404(f"match {pk} is not the visitor's")
    return match, seat


def _back(match: Match, slug: str) -> HttpResponse:
    """To the room in which the match was reported, else to the match by itself."""
    queues = Queue.objects.filter(slug=slug, ladder__game=match.game_id)
    if slug and queues.exists():
        return redirect("room", slug)
    return redirect("play-match", match.pk)
