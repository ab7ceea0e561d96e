"""What players press: ask, agree, part, follow, block, and who may turn to them."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from accounts.page_actions import account_of, action, refusals_as_messages
from foundation.names import isolate
from people import befriend as friends
from people import blocks, wishes
from people.forms import ContactForm
from ratings.models import Player

__all__ = ["befriend", "block", "choose_contact", "follow", "part", "unblock", "unfollow"]


@action
def befriend(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask to be friends, or agree."""

    def act(own: Player, other: Player) -> str:
        row = friends.befriend(player=own, other=other)
        if row.agreed_at is not None:
            return _("You and %(name)s are friends.")
        return _("You've asked %(name)s to be friends.")

    return _change(request, pk, act)


@action
def part(request: HttpRequest, pk: int) -> HttpResponse:
    """End a friendship, withdraw a request or turn one down."""

    def act(own: Player, other: Player) -> str:
        friends.part(player=own, other_id=other.pk)
        return _("You and %(name)s aren't friends now, and no request is open.")

    return _change(request, pk, act)


@action
def follow(request: HttpRequest, pk: int) -> HttpResponse:
    """Follow a player."""

    def act(own: Player, other: Player) -> str:
        friends.follow(player=own, other=other)
        return _("You follow %(name)s now.")

    return _change(request, pk, act)


@action
def unfollow(request: HttpRequest, pk: int) -> HttpResponse:
    """Follow a player no longer."""

    def act(own: Player, other: Player) -> str:
        friends.unfollow(player=own, other_id=other.pk)
        return _("You no longer follow %(name)s.")

    return _change(request, pk, act)


@action
def block(request: HttpRequest, pk: int) -> HttpResponse:
    """Block a player."""

    def act(own: Player, other: Player) -> str:
        blocks.block(player=own, other=other)
        return _("You've blocked %(name)s. Nobody else is told.")

    return _change(request, pk, act)


@action
def unblock(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a block back."""

    def act(own: Player, other: Player) -> str:
        blocks.unblock(player=own, other_id=other.pk)
        return _("You've unblocked %(name)s.")

    return _change(request, pk, act)


@action
def choose_contact(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose who may turn to one of the account's players."""
    own = get_object_or_404(Player.objects.select_related("game"), pk=pk, user=account_of(request))
    form = ContactForm(request.POST)
    if form.is_valid():
        with refusals_as_messages(request):
            wishes.choose(player=own, chosen=form.cleaned_data)
            messages.success(request, _("Your choice is kept."))
    else:
        messages.error(request, _("Choose one of the answers for each question."))
    return redirect(f"{reverse('people')}?game={own.game.slug}#contact")


def _change(request: HttpRequest, pk: int, act: Callable[[Player, Player], str]) -> HttpResponse:
    """Let the account's player in the other's game do it, and go back to the page where it was pressed."""
    other = get_object_or_404(Player, pk=pk)
    own = get_object_or_404(Player, game=other.game_id, user=account_of(request))
    with refusals_as_messages(request):
        done = act(own, other)
        messages.success(request, done % {"name": isolate(other.name)})
    back = request.POST.get("back", "")
    is_here = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return redirect(back if is_here else "people")
