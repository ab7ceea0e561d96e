"""What is pressed on the pages of groups: each a form that leads back to where it was pressed."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.page_actions import (
    account_of,
    action,
    for_those_who_accept,
    number_in,
    refusals_as_messages,
)
from foundation.names import clean_name, isolate
from groups import draw, lifecycle, membership, suggest
from groups import party as parties
from groups.models import Group
from groups.pages.forms import DrawForm
from groups.pages.who import acting_in
from matchmaking.pages.views.parties import party_page
from matchmaking.parties.own_party import own_party
from ratings.models import Game, Player

__all__ = [
    "choose_suggestions",
    "decline",
    "dissolve",
    "hand_over",
    "invite",
    "join",
    "keep",
    "leave",
    "party",
    "remove",
    "show",
    "want_random",
    "withdraw",
]


@action
@for_those_who_accept
def join(request: HttpRequest, pk: int) -> HttpResponse:
    """Become a member; with `as` as another of the account's players."""
    return _act(request, pk, lambda it: membership.join(group_id=pk, player=it))


@action
def decline(request: HttpRequest, pk: int) -> HttpResponse:
    """Turn an invitation down."""
    _act(request, pk, lambda it: membership.decline(group_id=pk, player=it))
    return redirect("groups")


@action
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave the group."""
    said = _("You have left the group.")
    _act(request, pk, lambda it: membership.leave(group_id=pk, player=it), said)
    return redirect("groups")


@action
def invite(request: HttpRequest, pk: int) -> HttpResponse:
    """Invite a player of the same game by its name."""
    found, own = acting_in(request, pk)
    name = clean_name(request.POST.get("name", "")[:100])  # as names are kept
    named = list(
        Player.objects.in_use().filter(game=own.game_id, name=name).values_list("pk", flat=True)[:2]
    )
    if len(named) != 1:
        messages.error(request, _("No player of the game has exactly this name."))
        return redirect(found)
    said = _("%(name)s is invited.") % {"name": isolate(name)}
    return _act(
        request, pk, lambda it: membership.invite(group_id=pk, player_id=named[0], by=it), said
    )


@action
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an invitation back."""
    member = number_in(request, "player") or 0
    return _act(request, pk, lambda it: membership.withdraw(group_id=pk, player_id=member, by=it))


@action
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a member away, as the owner."""
    member = number_in(request, "player") or 0
    said = _("The player is removed, and comes back only if you invite them.")
    return _act(
        request, pk, lambda it: membership.remove(group_id=pk, player_id=member, by=it), said
    )


@action
def hand_over(request: HttpRequest, pk: int) -> HttpResponse:
    """Let another member own the group."""
    to = number_in(request, "player") or 0
    said = _("The group has a new owner.")
    return _act(request, pk, lambda it: lifecycle.hand_over(group_id=pk, to=to, by=it), said)


@action
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose whether the group sees what one is at."""
    shows = request.POST.get("shows") == "1"
    return _act(request, pk, lambda it: membership.show(group_id=pk, player=it, shows=shows))


@action
def keep(request: HttpRequest, pk: int) -> HttpResponse:
    """Want to keep a random group, or no longer."""
    wants = request.POST.get("wants") == "1"
    return _act(request, pk, lambda it: lifecycle.keep(group_id=pk, player=it, wants=wants))


@action
@for_those_who_accept
def party(request: HttpRequest, pk: int) -> HttpResponse:
    """Invite the group into the own party."""
    found, own = acting_in(request, pk)
    with refusals_as_messages(request):
        _party, others = parties.invite_group(group_id=pk, by=own)
        said = ngettext(
            "The other member is invited into your party, if open to that.",
            "The %(number)d others of the group are invited into your party: those who are open to that.",
            others,
        )
        messages.success(request, said % {"number": others})
        if (party := own_party(own.pk)) is not None:
            return redirect(party_page(party))  # where who has come is seen
    return redirect(found)


@action
def dissolve(request: HttpRequest, pk: int) -> HttpResponse:
    """End the group for all, as its owner."""
    said = _("The group is dissolved.")
    _act(request, pk, lambda it: lifecycle.dissolve(group_id=pk, by=it), said)
    return redirect("groups")


@action
def choose_suggestions(request: HttpRequest, slug: str) -> HttpResponse:
    """Want friends and groups suggested, or no longer."""
    own = _own_in(request, slug)
    suggest.choose(player=own, wanted=request.POST.get("wanted") == "1")
    return redirect(f"{reverse('groups')}?game={slug}#suggested")


@action
@for_those_who_accept
def want_random(request: HttpRequest, slug: str) -> HttpResponse:
    """Want a random group, or none any more."""
    own = _own_in(request, slug)
    back = f"{reverse('groups')}?game={slug}#random"
    if request.POST.get("wanted") != "1":
        draw.stop_wanting(player=own)
        return redirect(back)
    form = DrawForm(request.POST, game_id=own.game_id)
    if not form.is_valid():
        messages.error(request, _("Choose one of the queues and languages of the list."))
        return redirect(back)
    with refusals_as_messages(request):
        draw.want(player=own, **form.cleaned_data)
        messages.success(request, _("You're in the next draw."))
    return redirect(back)


def _act(
    request: HttpRequest, pk: int, act: Callable[[Player], object], said: str = ""
) -> HttpResponse:
    """Let the account's player do something, and go back to the group, or to the list where it is gone."""
    found, own = acting_in(request, pk)
    with refusals_as_messages(request):
        act(own)
        if said:
            messages.success(request, said)
    return redirect(found) if Group.objects.filter(pk=pk).exists() else redirect("groups")


def _own_in(request: HttpRequest, slug: str) -> Player:
    game = get_object_or_404(Game.objects.in_use(), slug=slug)
    players = Player.objects.in_use().select_related("game")
    return get_object_or_404(players, game=game, user=account_of(request))
