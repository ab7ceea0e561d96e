"""Addresses of what is archived: they answer that it is gone, where others answer that there is nothing.

Asked only once a page or an endpoint has found nothing. What nobody may see, such as matches of normal mode, was never
there for others, and is not gone either. Ladders of the API say it themselves, as of the moment of their answer.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Model, QuerySet
from django.urls import ResolverMatch

from matchmaking.models import Queue
from ratings.archiving import ArchivedError
from ratings.models import Game, GameServer, Ladder, Match, Mode, Player

__all__ = ["archived_at", "is_worth_another_look"]

# The name of what is at an address whose kind and captured parts are given; none where it is used, or never was.
_Lookup = Callable[[Mapping[str, Any]], str | None]


def archived_at(address: ResolverMatch | None) -> ArchivedError | None:
    """Why there is nothing at the address any more; None where another reason is the right one. One query."""
    lookup = _LOOKUPS.get(address.view_name) if address else None
    name = None if address is None or lookup is None else lookup(address.kwargs)
    return None if name is None else ArchivedError(name)


def is_worth_another_look(address: ResolverMatch | None, method: str | None) -> bool:
    """Whether what was not found at the address, and is not archived either, may have been restored in between: then
    the page is there. Reading again costs little.
    """
    return address is not None and address.view_name in _LOOKUPS and method in ("GET", "HEAD")


def _game(given: Mapping[str, Any]) -> str | None:
    return _name_of(Game.objects.filter(slug=given["slug"]), Game.objects.in_use())


def _ladder(given: Mapping[str, Any]) -> str | None:
    ladders = Ladder.objects.filter(slug=given["slug"], mode=Mode.RANKED)
    return _name_of(ladders, Ladder.objects.in_use())


def _server(given: Mapping[str, Any]) -> str | None:
    servers = GameServer.objects.filter(game__slug=given["slug"], slug=given["server"])
    return _name_of(servers.filter(ladder__mode=Mode.RANKED), GameServer.objects.in_use())


def _queue(given: Mapping[str, Any]) -> str | None:
    return _name_of(Queue.objects.filter(slug=given["slug"]), Queue.objects.in_use())


def _player(given: Mapping[str, Any]) -> str | None:
    pk = given.get("player_id", given.get("pk"))
    players = Player.objects.filter(pk=pk).exclude(pk__in=Player.objects.in_use().filter(pk=pk))
    gone = players.select_related("game").first()
    if gone is None:
        return None
    return str(gone if gone.game.archived_at is None else gone.game)


def _match(given: Mapping[str, Any]) -> str | None:
    pk = given.get("match_id", given.get("pk"))
    matches = Match.objects.filter(pk=pk, ladder__mode=Mode.RANKED).select_related("ladder")
    gone = matches.exclude(pk__in=Match.objects.in_use().filter(pk=pk)).first()
    return None if gone is None else gone.ladder.name


def _name_of(wanted: QuerySet[Any], used: QuerySet[Any]) -> str | None:
    gone: Model | None = wanted.exclude(pk__in=used).first()
    return None if gone is None else str(gone)


_LOOKUPS: Mapping[str, _Lookup] = {
    "game": _game,
    "leaderboard": _ladder,
    "servers": _game,
    "behaviour": _game,
    "server": _server,
    "statistics": _game,
    "static-ranking": _game,
    "player": _player,
    "match": _match,
    "queue": _queue,
    "search-match": _queue,
    "search-options": _queue,
    "open-party": _queue,
    "name-player": _queue,
    "play-match": _match,
    "api:player": _player,
    "api:player-ratings": _player,
    "api:player-history": _player,
    "api:player-matches": _player,
    "api:player-statistics": _player,
    "api:match": _match,
    "api:queue": _queue,
}
