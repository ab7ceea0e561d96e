"""The page of a queue that says when to play: who searches now, the best hours, and rounds at set times."""

from collections.abc import Callable
from datetime import date, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from foundation import clock
from matchmaking.models import Queue, Round
from matchmaking.pages.views.actions import account_of, action, refusals_as_messages
from matchmaking.pool.best_hour import HalfHour, best_hours
from matchmaking.pool.near import searching_now
from matchmaking.rounds.join import join_round, leave_round
from matchmaking.rounds.to_come import coming_rounds
from notifications.models import QuietHours
from ratings.models import Player

__all__ = ["enter_round", "quit_round", "when_to_play"]

# A Monday: days of the week are named by their dates.
_MONDAY = date(2024, 1, 1)


@never_cache
@require_safe
def when_to_play(request: HttpRequest, slug: str) -> HttpResponse:
    """Figures of now, of the last weeks and what is to come, by the clocks of the visitor's zone."""
    queue = get_object_or_404(Queue.objects.select_related("ladder__game"), slug=slug)
    if queue.is_archived:
        raise Http404
    now, player = clock.now(), _own_player(request, queue)
    zone = _zone_of(request, player)
    best = best_hours(queue.pk, zone, now)
    own = player.pk if player else None
    context = {
        "queue": queue,
        "player": player,
        "zone": zone.key,
        "zones": sorted(available_timezones()),
        "searching": searching_now(queue, own),
        "best": best,
        "best_day": _day_name(best.week),
        "rounds": [(one, one.local(zone)) for one in coming_rounds(queue.pk, own, now)],
    }
    return render(request, "play/when/when.html", context)


@action
def enter_round(request: HttpRequest, pk: int) -> HttpResponse:
    """Join a round, or say that one is there."""
    return _act(
        request,
        pk,
        lambda player: join_round(round_id=pk, player=player),
        _(
            "You are in. Be here when it begins: it asks whether you are there a quarter of an hour before."
        ),
    )


@action
def quit_round(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave a round."""
    return _act(
        request,
        pk,
        lambda player: leave_round(round_id=pk, player=player),
        _("You have left the round."),
    )


def _act(request: HttpRequest, pk: int, act: Callable[[Player], object], done: str) -> HttpResponse:
    found = get_object_or_404(Round.objects.select_related("queue__ladder"), pk=pk)
    game = found.queue.ladder.game_id
    player = get_object_or_404(Player, game=game, user=account_of(request))
    with refusals_as_messages(request):
        act(player)
        messages.success(request, done)
    return redirect(reverse("when-to-play", args=[found.queue.slug]))


def _own_player(request: HttpRequest, queue: Queue) -> Player | None:
    if not request.user.is_authenticated:
        return None
    return Player.objects.filter(game=queue.ladder.game_id, user=request.user.pk).first()


def _zone_of(request: HttpRequest, player: Player | None) -> ZoneInfo:
    """The zone that is asked for, else that of the player's quiet hours, else UTC."""
    asked = request.GET.get("zone", "")
    if not asked and player is not None:
        quiet = QuietHours.objects.filter(player=player).first()
        asked = quiet.zone if quiet else ""
    try:
        return ZoneInfo(asked or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def _day_name(best: HalfHour | None) -> str:
    """Of its day, in the visitor's language."""
    if best is None:
        return ""
    return date_format(_MONDAY + timedelta(days=best.weekday - 1), "l")
