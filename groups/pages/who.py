"""Which of an account's players looks at a group, and acts in it."""

from django.http import Http404, HttpRequest

from accounts.models import User
from accounts.page_actions import account_of
from groups.models import Group, Membership
from groups.read import visible_to
from ratings.models import Player

__all__ = ["acting_in", "players_of"]


def players_of(account: User) -> list[Player]:
    """The account's players in games that are in use, with these."""
    players = Player.objects.in_use().filter(user=account, game__archived_at=None)
    return list(players.select_related("game").order_by("game__name", "pk"))


def acting_in(request: HttpRequest, pk: int) -> tuple[Group, Player]:
    """The group, and the account's player for it: the one named by `as`, else who is in it, else any who may look in.

    Http404 where none may.
    """
    players = {one.pk: one for one in players_of(account_of(request))}
    rows = Membership.objects.filter(group=pk, player__in=players).order_by("pk")
    named = request.POST.get("as") or request.GET.get("as") or ""
    wanted = [int(named)] if named.isascii() and named.isdigit() and len(named) < 19 else []
    for one in [*wanted, *rows.values_list("player", flat=True), *players]:
        if one in players:
            found = visible_to(players[one]).filter(pk=pk).first()
            if found is not None:
                return found, players[one]
    raise Http404
