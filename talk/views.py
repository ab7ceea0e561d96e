"""Talk on the pages: what was said in a place, saying something, and whom one mutes."""

from collections.abc import Callable
from urllib.parse import urldefrag

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import trigger_client_event

from accounts.page_actions import (
    account_of,
    action,
    for_those_who_accept,
    refusals_as_messages,
)
from foundation import clock
from foundation.names import isolate
from foundation.page_parts import (
    ask_again,
    asks_again,
    is_unchanged,
    nothing_new,
    show,
    version_of,
    wants_part,
)
from ratings.merging.meant import meant_by
from ratings.models import Player, SuspendedFrom
from ratings.sanctions import suspended
from talk import mutes
from talk.listen import latest
from talk.models import Muted, TalkRules
from talk.places import Place, place_for
from talk.refusals import NoSuchPlaceError, TalkOffError
from talk.rules import rules_of
from talk.say import say

__all__ = ["mute", "muted", "talk", "unmute"]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def talk(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """Read and write in a place; 404 where the account's players are not in it, or the game has no talk."""
    found = _place_of(request, kind, pk)
    if found is None and asks_again(request):
        return nothing_new()  # the room has begun its match: its page leads there in a moment
    if found is None:
        raise Http404
    player, rules, place = found
    if request.method == "POST":
        return _say(request, player, rules, place)
    return _shown(request, player, rules, place)


@for_those_who_accept
def _say(request: HttpRequest, player: Player, rules: TalkRules, place: Place) -> HttpResponse:
    was_said = False
    with refusals_as_messages(request):
        say(kind=place.kind, pk=place.id, player=player, text=request.POST.get("text", ""))
        was_said = True
    if not wants_part(request):
        return redirect("talk", place.kind, place.id)
    answer = _shown(request, player, rules, place)
    return trigger_client_event(answer, "said") if was_said else answer


def _shown(request: HttpRequest, player: Player, rules: TalkRules, place: Place) -> HttpResponse:
    lines = latest(place, player)
    silenced = suspended([player.pk], SuspendedFrom.TALK).get(player.pk)
    version = version_of([line.pk for line in lines], place.is_open, silenced and silenced.pk)
    if is_unchanged(request, version):
        return nothing_new()
    context = {
        "place": place,
        "lines": lines,
        "player": player,
        "rules": rules,
        "silenced": silenced,
        "again": ask_again(request, version),
        "back": _way_back(request, place),
    }
    # The frame beside a party asks for the whole talk first; after that its lines ask for themselves.
    is_lines = asks_again(request) or request.method == "POST"
    part = "talk/_lines.html" if is_lines else "talk/_talk.html"
    return show(request, "talk/talk.html", context, part=part)


def _way_back(request: HttpRequest, place: Place) -> str:
    """To the talk, on the page of the site on which it is shown as a part, or by itself."""
    htmx = getattr(request, "htmx", None)
    around = htmx.current_url_abs_path if htmx else None
    page = around or reverse("talk", args=[place.kind, place.id])
    return f"{urldefrag(page).url}#talk-frame-{place.kind}-{place.id}"


def _place_of(request: HttpRequest, kind: str, pk: int) -> tuple[Player, TalkRules, Place] | None:
    """Of the account's players the one that is there; an account has one in each game."""
    now = clock.now()
    for player in Player.objects.filter(user=account_of(request)).order_by("pk"):
        try:
            rules = rules_of(player)
            return player, rules, place_for(kind, pk, player, rules, now)
        except (NoSuchPlaceError, TalkOffError):
            continue
    return None


@login_required
@require_safe
def muted(request: HttpRequest) -> HttpResponse:
    """The account's own lists, of all its games."""
    rows = Muted.objects.filter(player__user=account_of(request)).order_by(
        "player__game__name", "-pk"
    )
    context = {"rows": rows.select_related("muted", "player__game"), "most": mutes.MOST}
    return render(request, "talk/muted.html", context)


@action
def mute(request: HttpRequest, pk: int) -> HttpResponse:
    """Hear a player no more."""
    return _change(
        request,
        pk,
        lambda own, other: mutes.mute(player=own, other=meant_by(other)),
        _("You don't read %(name)s any more. Nobody else can see that."),
    )


@action
def unmute(request: HttpRequest, pk: int) -> HttpResponse:
    """Hear a player again."""
    return _change(
        request,
        pk,
        lambda own, other: mutes.unmute(player=own, other_id=other.pk),
        _("You read %(name)s again."),
    )


def _change(
    request: HttpRequest, pk: int, act: Callable[[Player, Player], object], done: str
) -> HttpResponse:
    other = get_object_or_404(Player, pk=pk)
    own = get_object_or_404(Player, game=other.game_id, user=account_of(request))
    with refusals_as_messages(request):
        act(own, other)
        messages.success(request, done % {"name": isolate(other.name)})
    back = request.POST.get("back", "")
    is_here = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return redirect(back if is_here else "muted")
