"""What is pressed on the pages of clans: each a form that leads back to where it was pressed."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.page_actions import (
    action,
    for_those_who_accept,
    number_in,
    refusals_as_messages,
)
from clans import invitations, lifecycle, membership
from clans.pages.who import acting_in
from foundation.names import clean_name, isolate
from ratings.models import Player

__all__ = [
    "accept",
    "apply",
    "appoint",
    "decline",
    "dissolve",
    "hand_over",
    "invite",
    "join",
    "leave",
    "remove",
    "take_back",
    "turn_down",
    "withdraw",
]


@action
@for_those_who_accept
def join(request: HttpRequest, pk: int) -> HttpResponse:
    """Become a member."""
    return _act(request, pk, lambda it: membership.join(clan_id=pk, player=it))


@action
@for_those_who_accept
def apply(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask to come in."""
    return _act(request, pk, lambda it: membership.apply(clan_id=pk, player=it))


@action
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the own application back."""
    return _act(request, pk, lambda it: membership.take_back(clan_id=pk, player=it))


@action
def decline(request: HttpRequest, pk: int) -> HttpResponse:
    """Turn an invitation down."""
    return _act(request, pk, lambda it: invitations.decline(clan_id=pk, player=it))


@action
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave the clan."""
    said = _("You have left the clan.")
    return _act(request, pk, lambda it: membership.leave(clan_id=pk, player=it), said)


@action
def invite(request: HttpRequest, pk: int) -> HttpResponse:
    """Invite a player of the game by its name."""
    found, own = acting_in(request, pk)
    name = clean_name(request.POST.get("name", "")[:100])  # as names are kept
    rows = Player.objects.in_use().filter(game=own.game_id, name=name)
    named = list(rows.values_list("pk", flat=True)[:2])
    if len(named) != 1:
        messages.error(request, _("No player of the game has exactly this name."))
        return redirect(found)
    said = _("%(name)s is invited.") % {"name": isolate(name)}
    return _act(
        request, pk, lambda it: invitations.invite(clan_id=pk, player_id=named[0], by=it), said
    )


@action
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an invitation back."""
    other = number_in(request, "player") or 0
    return _act(request, pk, lambda it: invitations.withdraw(clan_id=pk, player_id=other, by=it))


@action
def accept(request: HttpRequest, pk: int) -> HttpResponse:
    """Let an applicant come in."""
    other = number_in(request, "player") or 0
    return _act(request, pk, lambda it: membership.accept(clan_id=pk, player_id=other, by=it))


@action
def turn_down(request: HttpRequest, pk: int) -> HttpResponse:
    """Turn an application down."""
    other = number_in(request, "player") or 0
    return _act(request, pk, lambda it: membership.turn_down(clan_id=pk, player_id=other, by=it))


@action
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a member away."""
    other = number_in(request, "player") or 0
    said = _("The player is removed, and comes back only if the clan invites them.")
    return _act(request, pk, lambda it: membership.remove(clan_id=pk, player_id=other, by=it), said)


@action
def appoint(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a member an officer, or with `officer` 0 no longer."""
    other, is_officer = number_in(request, "player") or 0, request.POST.get("officer") != "0"
    return _act(
        request,
        pk,
        lambda it: lifecycle.appoint(clan_id=pk, player_id=other, by=it, is_officer=is_officer),
    )


@action
def hand_over(request: HttpRequest, pk: int) -> HttpResponse:
    """Let another member lead the clan."""
    to = number_in(request, "player") or 0
    said = _("The clan has a new leader.")
    return _act(request, pk, lambda it: lifecycle.hand_over(clan_id=pk, to=to, by=it), said)


@action
def dissolve(request: HttpRequest, pk: int) -> HttpResponse:
    """End the clan for all, as its leader."""
    said = _("The clan is dissolved.")
    return _act(request, pk, lambda it: lifecycle.dissolve(clan_id=pk, by=it), said)


def _act(
    request: HttpRequest, pk: int, act: Callable[[Player], object], said: str = ""
) -> HttpResponse:
    """Let the account's player do something, and go back to the clan."""
    found, own = acting_in(request, pk)
    with refusals_as_messages(request):
        act(own)
        if said:
            messages.success(request, said)
    return redirect(found)
