"""The page on which people choose by which ways each of their players is told, and when it is quiet."""

from datetime import time
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.mail import is_configured
from accounts.models import User
from foundation.refusals import RefusedError
from foundation.zones import zone_choices
from notifications.models import QuietHours, Way
from notifications.preferences import (
    choices_of,
    choose,
    quiet_hours_of,
    remember_language,
    set_quiet_hours,
)
from notifications.push.keys import public_key
from notifications.push.subscribe import browsers_of
from ratings.models import Player

__all__ = ["QuietHoursForm", "notification_choices"]

# What a form says of a way; a box that is not ticked is not in it.
_WANTED = {"on": True, "": False, "off": False, "usual": None}


class QuietHoursForm(forms.Form):
    """When no mail and no push comes."""

    begins = forms.TimeField(
        label=gettext_lazy("From"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )
    ends = forms.TimeField(
        label=gettext_lazy("Until"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )
    zone = forms.ChoiceField(label=gettext_lazy("Time zone"), required=False)

    def __init__(self, data: Any = None, *, before: QuietHours | None = None) -> None:
        initial = {"begins": before.begins, "ends": before.ends} if before else {}
        super().__init__(data, initial={**initial, "zone": before.zone if before else "UTC"})
        field = cast("forms.ChoiceField", self.fields["zone"])
        field.choices = zone_choices(before.zone if before else "UTC")
        if before is None:
            # The browser knows the zone of its user, and a script puts it there.
            field.widget.attrs["data-own-zone"] = ""


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notification_choices(request: HttpRequest) -> HttpResponse:
    """The choices of one of the account's players; with a POST they are kept."""
    account = cast("User", request.user)
    remember_language(account, get_language() or "en")
    players = list(Player.objects.filter(user=account).select_related("game").order_by("pk"))
    player = _chosen(request, players)
    before = quiet_hours_of(player.pk) if player else None
    posts = request.method == "POST" and player is not None
    form = QuietHoursForm(request.POST if posts else None, before=before)
    if posts and player is not None and form.is_valid() and _keep(request, player, form):
        messages.success(request, _("Your choices are kept."))
        return redirect(f"{reverse('notification-choices')}?player={player.pk}")
    context = {
        "players": players,
        "player": player,
        "groups": _rows(choices_of(player.pk)) if player else [],
        "ways": [(way.value, way.label) for way in Way],
        "form": form,
        "browsers": browsers_of(account.pk),
        "public_key": public_key(),
        "sends_mail": is_configured(),
    }
    return render(request, "notifications/choices.html", context)


def _chosen(request: HttpRequest, players: list[Player]) -> Player | None:
    given = request.POST.get("player") or request.GET.get("player") or ""
    if not given:
        return players[0] if players else None
    for player in players:
        if str(player.pk) == given:
            return player
    raise Http404


def _rows(groups: Any) -> list[dict[str, Any]]:
    return [
        {
            "group": one.group.value,
            "label": one.label,
            "ways": [
                (f"{one.group}-{way}", way.label, wanted, one.usual_words(way))
                for way, wanted in one.ways.items()
                if way != Way.MAIL or is_configured()
            ],
        }
        for one in groups
    ]


def _keep(request: HttpRequest, player: Player, form: QuietHoursForm) -> bool:
    given: dict[str, Any] = form.cleaned_data
    begins: time | None = given["begins"]
    try:
        set_quiet_hours(player.pk, begins, given["ends"], given["zone"] or "UTC")
    except RefusedError as refusal:
        form.add_error(None, str(refusal))
        return False
    choose(
        player.pk,
        {
            (one.group.value, way.value): _WANTED.get(
                request.POST.get(f"{one.group}-{way}", ""), True
            )
            for one in choices_of(player.pk)
            for way in one.ways
            # Where the site sends no mail, there is no box to tick, and what was chosen stays.
            if way != Way.MAIL or is_configured()
        },
    )
    return True
