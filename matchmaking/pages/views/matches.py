"""A match of one's own: what is to be done, and reporting how it ended."""

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.page_actions import action, refusals_as_messages
from foundation import clock
from foundation.page_parts import is_unchanged, nothing_new
from matchmaking.models import Queue
from matchmaking.pages.forms import LEFT, ReportForm
from matchmaking.pages.own_match import own_match_view
from matchmaking.pages.queue_page import MatchPage
from matchmaking.pages.views.queues import show_page
from ratings.matches.report import leave
from ratings.matches.report import report as report_outcome
from ratings.matches.silenced import silenced_until
from ratings.models import OPEN, Match, MatchState, Outcome, Participant
from ratings.sanctions import told_to

__all__ = ["own_match", "play_match", "report"]


@login_required
@require_safe
def play_match(request: HttpRequest, pk: int) -> HttpResponse:
    """A match by itself, for those who took part: also one that the game has arranged."""
    match, participant = own_match(request, pk)
    now = clock.now()
    takes_reports = match.state in {*OPEN, MatchState.DISPUTED}
    found = MatchPage(
        now=now,
        own_match=own_match_view(match, participant.player_id, now),
        sanctions=told_to(participant.player) if takes_reports else (),
    )
    if not found.may_report:
        found = replace(found, silenced_until=silenced_until(match))
    if is_unchanged(request, found.version):
        return nothing_new()
    return show_page(request, found, "play/match.html", match=match)


@action
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a player's word on how a match ended; the same word again changes nothing."""
    match, participant = own_match(request, pk)
    form = ReportForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose how the match ended."))
        return redirect("play-match", match.pk)
    said, place = form.cleaned_data["outcome"], form.cleaned_data["place"]
    if place and form.cleaned_data["shared"]:
        said = Outcome.DRAWN
    with refusals_as_messages(request):
        if said == LEFT:
            leave(match_id=match.pk, player_id=participant.player_id)
        else:
            report_outcome(
                match_id=match.pk,
                player_id=participant.player_id,
                outcome=Outcome(said) if said else None,
                place=place,
            )
    slug = form.cleaned_data["queue"]
    if slug and Queue.objects.in_use().filter(slug=slug, ladder__game=match.game_id).exists():
        return redirect("queue", slug)  # in which the match was reported
    return redirect("play-match", match.pk)


def own_match(request: HttpRequest, pk: int) -> tuple[Match, Participant]:
    """A match that the account takes part in, and its participant there; 404 for any other."""
    matches = Match.objects.in_use().select_related("ladder__game", "offer")
    match = get_object_or_404(matches, pk=pk)
    participants = Participant.objects.filter(match=match, player__user=request.user.pk)
    participant = participants.select_related("player").first()
    if participant is None:
        raise Http404(f"match {pk} is not the visitor's")
    return match, participant
