"""The page of a queue that says when to play: who searches now, the best hours, and rounds at set times."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from http import HTTPStatus
from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.page_actions import account_of, action, refusals_as_messages
from foundation import clock
from foundation.zones import zone_choices, zone_named
from matchmaking.alerts.wish import has_alerts, tells_nearness, wishes_of
from matchmaking.conduct.standing import cooling_until
from matchmaking.models import NEARNESS_WORDS, Queue, Round
from matchmaking.pages.views.alerts import LASTING
from matchmaking.pool.best_hour import HalfHour, best_hours
from matchmaking.pool.near import searching_now
from matchmaking.rounds.join import join_round, leave_round
from matchmaking.rounds.to_come import coming_rounds
from notifications.models import QuietHours
from ratings.models import Player

__all__ = ["enter_round", "quit_round", "when_to_play"]

# A Monday: days of the week are named by their dates.
_MONDAY = date(2024, 1, 1)


class ZoneForm(forms.Form):
    """By whose clocks the page tells times."""

    zone = forms.ChoiceField(label=gettext_lazy("Your time zone"))

    def __init__(self, data: Any, kept: str) -> None:
        super().__init__(data, initial={"zone": kept or "UTC"})
        field = cast("forms.ChoiceField", self.fields["zone"])
        field.choices = zone_choices(kept or "UTC")
        if data is None and not kept:
            # The browser knows the zone of its user, and a script asks for that one.
            field.widget.attrs["data-own-zone"] = "ask"

    @property
    def chosen(self) -> ZoneInfo:
        """The zone that is asked for, else the one that is kept, else UTC."""
        is_asked = self.is_bound and self.is_valid()
        return zone_named(self.cleaned_data["zone"] if is_asked else self.initial["zone"])


@never_cache
@require_safe
def when_to_play(request: HttpRequest, slug: str) -> HttpResponse:
    """Figures of now, of the last weeks and what is to come, by the clocks of the visitor's zone."""
    queue = get_object_or_404(Queue.objects.select_related("ladder__game"), slug=slug)
    if queue.is_archived:
        raise Http404
    now, player = clock.now(), _own_player(request, queue)
    quiet = QuietHours.objects.filter(player=player).first() if player else None
    asked = request.GET if request.GET.get("zone") else None
    form = ZoneForm(asked, kept=quiet.zone if quiet else "")
    zone = form.chosen
    best = best_hours(queue.pk, zone, now)
    own = player.pk if player else None
    context = {
        "queue": queue,
        "player": player,
        "form": form,
        "zone": zone,
        "searching": searching_now(queue, own),
        "best": best,
        "best_day": _day_name(best.week),
        "cooling_until": cooling_until(own) if own else None,
        **_alerts(queue, player, zone, now),
        "rounds": [(one, one.local(zone)) for one in coming_rounds(queue.pk, own, now)],
    }
    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return render(request, "play/when/when.html", context, status=status)


def _alerts(queue: Queue, player: Player | None, zone: ZoneInfo, now: datetime) -> dict[str, Any]:
    """What is on for the player here and in other queues, and what there is to choose."""
    own = list(wishes_of(player.pk, now)) if player else []
    here = next((one for one in own if one.queue_id == queue.pk), None)
    return {
        "has_alerts": has_alerts(queue),
        "tells_nearness": tells_nearness(queue),
        "alert": here,
        "alert_ends": here.until.astimezone(zone) if here and here.until else None,
        "other_alerts": [one for one in own if one is not here],
        "nearness": NEARNESS_WORDS.items(),
        "lasting": LASTING.items(),
    }


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


def _day_name(best: HalfHour | None) -> str:
    """Of its day, in the visitor's language."""
    if best is None:
        return ""
    return date_format(_MONDAY + timedelta(days=best.weekday - 1), "l")
