"""Avoid lists on the pages: each is shown to its owner only."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.page_actions import account_of, action, refusals_as_messages
from foundation.names import isolate
from matchmaking import avoid_list
from ratings.models import Player

__all__ = ["avoid", "avoided", "stop_avoiding"]


@login_required
@require_safe
def avoided(request: HttpRequest) -> HttpResponse:
    """The account's own lists, one a game."""
    context = {"lists": avoid_list.avoid_lists(account_of(request)), "most": avoid_list.MOST}
    return render(request, "play/people/avoided.html", context)


@action
def avoid(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a player on the own list."""
    return _change(
        request,
        pk,
        lambda own, other: avoid_list.avoid(player=own, other=other),
        _("You avoid %(name)s now. Nobody else can see that."),
    )


@action
def stop_avoiding(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a player off the own list."""
    return _change(
        request,
        pk,
        lambda own, other: avoid_list.stop_avoiding(player=own, other_id=other.pk),
        _("You avoid %(name)s no longer."),
    )


def _change(
    request: HttpRequest, pk: int, act: Callable[[Player, Player], object], done: str
) -> HttpResponse:
    """Let the account's player in the other's game do it, and go back to the page where it was pressed."""
    other = get_object_or_404(Player, pk=pk)
    own = get_object_or_404(Player, game=other.game_id, user=account_of(request))
    with refusals_as_messages(request):
        act(own, other)
        messages.success(request, done % {"name": isolate(other.name)})
    back = request.POST.get("back", "")
    is_here = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return redirect(back if is_here else "avoided")
