"""Which of an account's players looks at a clan, and acts in it."""

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from accounts.models import User
from accounts.page_actions import account_of
from clans.models import Clan
from ratings.models import Game, Player

__all__ = ["acting_in", "clan_at", "own_in"]


def clan_at(pk: int) -> Clan:
    """A clan of a game that is in use; also one that was dissolved. Http404 without one."""
    return get_object_or_404(Clan.objects.select_related("game"), pk=pk, game__archived_at=None)


def own_in(user: User | AnonymousUser, game: Game) -> Player | None:
    """The account's player in the game, with the game; None without one, and for visitors. One query."""
    if not isinstance(user, User):
        return None
    return Player.objects.in_use().select_related("game").filter(game=game, user=user).first()


def acting_in(request: HttpRequest, pk: int) -> tuple[Clan, Player]:
    """The clan, and the account's player of its game. Http404 without one."""
    clan = clan_at(pk)
    player = own_in(account_of(request), clan.game)
    if player is None:
        raise Http404
    return clan, player
