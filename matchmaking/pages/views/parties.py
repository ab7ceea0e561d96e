"""Parties on the pages: opening one, inviting, coming, going, and who leads."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.page_actions import (
    account_of,
    action,
    for_those_who_accept,
    number_in,
    refusals_as_messages,
)
from matchmaking.models import Party, Queue
from matchmaking.pages.forms import CodeForm
from matchmaking.pages.views.new_player import naming
from matchmaking.parties import lifecycle
from matchmaking.parties.own_party import PartySeen, own_party, party_seen
from ratings.models import Player, SuspendedFrom
from ratings.sanctions import keep_from, told_to

__all__ = [
    "find_party",
    "hand_over",
    "invitation",
    "join_party",
    "leave_party",
    "open_party",
    "remove_member",
]


@action
@for_those_who_accept
def open_party(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a party in the game of a queue."""
    queue = get_object_or_404(Queue.objects.in_use().select_related("ladder"), slug=slug)
    own = Player.objects.filter(game=queue.ladder.game_id, user=account_of(request))
    player = own.select_related("game").first()
    if player is not None:
        with refusals_as_messages(request):
            lifecycle.open_party(player=player)
    return redirect("queue", queue.slug)


@require_safe
def find_party(request: HttpRequest) -> HttpResponse:
    """Lead from a code that somebody typed to its invitation."""
    form = CodeForm(request.GET)
    code = lifecycle.plain_code(form.cleaned_data["code"]) if form.is_valid() else ""
    return redirect("invitation", code) if code else redirect("play")


@login_required
@require_safe
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a party's link: asks whether the visitor wants to join, and leads members to the party's page."""
    party = _party_with(code)
    if party is None:
        return render(request, "play/people/invitation.html", {"party": None}, status=404)
    player = _own_player(request, party)
    own = own_party(player.pk) if player else None
    if own and own.id == party.pk:
        return redirect(party_page(own))
    sanctions = told_to(player) if player else []
    queue = _team_queue(party.game_id)
    name: dict[str, Any] = {}
    if player is None and queue is not None:
        then = reverse("invitation", args=[code])
        name = naming(request, party.game, then=then, queue=queue)
    context = {
        "party": party_seen(party),
        "game": party.game,
        "player": player,
        "sanctions": sanctions,
        "may_join": not keep_from(sanctions, SuspendedFrom.PARTIES),
        "other": own,
        "other_place": party_page(own) if own else "",
        **name,
    }
    return render(request, "play/people/invitation.html", context)


@action
@for_those_who_accept
def join_party(request: HttpRequest, code: str) -> HttpResponse:
    """Become a member."""
    party = _party_with(code)
    player = _own_player(request, party) if party else None
    if party is None or player is None:
        return redirect("invitation", code)
    with refusals_as_messages(request):
        lifecycle.join_party(player=player, code=code)
        messages.success(request, _("You're in the party."))
    return redirect("invitation", code)  # which leads members on


@action
def leave_party(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave a party."""
    return _change(
        request,
        pk,
        lambda player: lifecycle.leave_party(party_id=pk, player=player, declines=True),
        _("You have left the party."),
    )


@action
def remove_member(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a member away, as the leader."""
    return _change(
        request,
        pk,
        lambda player: lifecycle.remove_member(party_id=pk, member=_member(request), by=player.pk),
        _("The party has a new code. The old one no longer works."),
    )


@action
def hand_over(request: HttpRequest, pk: int) -> HttpResponse:
    """Let another member lead, as the leader."""
    return _change(
        request,
        pk,
        lambda player: lifecycle.hand_over(party_id=pk, to=_member(request), by=player.pk),
        _("The party has a new leader."),
    )


def _change(
    request: HttpRequest, pk: int, act: Callable[[Player], object], done: str
) -> HttpResponse:
    """Let the account's player do something in a party of the same game, and go back to where it was done."""
    party = get_object_or_404(Party, pk=pk)
    player = get_object_or_404(Player, game=party.game_id, user=account_of(request))
    with refusals_as_messages(request):
        act(player)
        messages.success(request, done)
    slug = request.POST.get("queue", "")
    is_there = Queue.objects.in_use().filter(slug=slug, ladder__game=party.game_id).exists()
    return redirect("queue", slug) if is_there else redirect("play")


def _member(request: HttpRequest) -> int:
    """The id of the player that the form names; 0, which nobody has, where it names none."""
    return number_in(request, "member") or 0


def _party_with(code: str) -> Party | None:
    live = Party.objects.filter(code=lifecycle.plain_code(code), ended_at__isnull=True)
    return live.select_related("game").first()


def _own_player(request: HttpRequest, party: Party) -> Player | None:
    return Player.objects.filter(game=party.game_id, user=account_of(request)).first()


def party_page(party: PartySeen) -> str:
    """The page of the party: of the queue in which it searches, else in the first one with teams."""
    queue = party.ticket.queue if party.ticket else _team_queue(party.game_id)
    return reverse("queue", args=[queue.slug]) if queue else reverse("play")


def _team_queue(game_id: int) -> Queue | None:
    teams = Queue.objects.in_use().filter(
        is_open=True, ladder__game=game_id, ladder__team_size__gt=1
    )
    return teams.order_by("name", "pk").first()
