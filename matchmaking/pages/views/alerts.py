"""Switching alerts of a queue on and off, from the page that says when to play."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.page_actions import account_of, action, refusals_as_messages
from foundation import clock
from foundation.zones import zone_named
from matchmaking.alerts.wish import end_of_night, switch_off, switch_on
from matchmaking.models import NEARNESS_WORDS, Queue
from ratings.models import Player

__all__ = ["LASTING", "alert_me", "end_alerts"]

# How long alerts are on: what a form sends, and what it says.
LASTING = {
    "tonight": gettext_lazy("tonight, until 4:00"),
    "1": gettext_lazy("for an hour"),
    "3": gettext_lazy("for 3 hours"),
    "8": gettext_lazy("for 8 hours"),
    "always": gettext_lazy("until I switch it off"),
}


@action
def alert_me(request: HttpRequest, slug: str) -> HttpResponse:
    """Tell the visitor of searches from now on."""
    queue, player = _queue_and_player(request, slug)
    near, lasting = request.POST.get("near", ""), request.POST.get("until", "")
    if near not in NEARNESS_WORDS or lasting not in LASTING:
        messages.error(request, _("Choose how near, and until when."))
        return _back(slug)
    zone = zone_named(request.POST.get("zone", ""))
    with refusals_as_messages(request):
        until = _ends_at(lasting, zone, clock.now())
        switch_on(player=player, queue=queue, near=near, until=until)
        messages.success(request, _("You will be told when somebody searches here."))
    return _back(slug)


@action
def end_alerts(request: HttpRequest, slug: str) -> HttpResponse:
    """Tell the visitor of searches no more."""
    queue, player = _queue_and_player(request, slug)
    if switch_off(player_id=player.pk, queue_id=queue.pk):
        messages.success(request, _("You are told of searches here no more."))
    return _back(slug)


def _ends_at(lasting: str, zone: ZoneInfo, now: datetime) -> datetime | None:
    if lasting == "always":
        return None
    return end_of_night(zone, now) if lasting == "tonight" else now + timedelta(hours=int(lasting))


def _queue_and_player(request: HttpRequest, slug: str) -> tuple[Queue, Player]:
    queue = get_object_or_404(Queue.objects.in_use().select_related("ladder__game"), slug=slug)
    player = get_object_or_404(Player, game=queue.ladder.game_id, user=account_of(request))
    return queue, player


def _back(slug: str) -> HttpResponse:
    return redirect(f"{reverse('when-to-play', args=[slug])}#alerts")
