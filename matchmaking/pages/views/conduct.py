"""The own conduct: points, why, what follows, and appeals. And being away from a match."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.page_actions import account_of, action, refusals_as_messages
from matchmaking.conduct import absences, appeals
from matchmaking.conduct.own import conducts_of
from matchmaking.models import Offence, Teller
from ratings.models import Participant

__all__ = ["appeal", "away", "back", "my_conduct"]


@login_required
@require_safe
def my_conduct(request: HttpRequest) -> HttpResponse:
    """How the account's players stand, one a game."""
    context = {"conducts": conducts_of(account_of(request)), "longest": appeals.LONGEST_TEXT}
    return render(request, "play/people/conduct.html", context)


@action
def appeal(request: HttpRequest, pk: int) -> HttpResponse:
    """Appeal against something that is held against the own player."""
    offence = get_object_or_404(Offence, pk=pk, player__user=account_of(request))
    with refusals_as_messages(request):
        appeals.appeal(
            offence_id=pk, player_id=offence.player_id, text=request.POST.get("text", "")
        )
        messages.success(request, _("Your appeal was sent. A moderator decides it."))
    return redirect("my-conduct")


@action
def away(request: HttpRequest, pk: int) -> HttpResponse:
    """Say that one has lost the connection to a match."""
    player = _player_in(request, pk)
    with refusals_as_messages(request):
        absences.away(match_id=pk, player_id=player, by=Teller.PLAYER)
        messages.success(request, _("Noted. Come back in time, and it costs nothing."))
    return redirect("play-match", pk)


@action
def back(request: HttpRequest, pk: int) -> HttpResponse:
    """Say that one is back."""
    player = _player_in(request, pk)
    with refusals_as_messages(request):
        absences.back(match_id=pk, player_id=player, by=Teller.PLAYER)
        messages.success(request, _("Welcome back."))
    return redirect("play-match", pk)


def _player_in(request: HttpRequest, match: int) -> int:
    own = Participant.objects.filter(player__user=account_of(request))
    return get_object_or_404(own, match=match).player_id
