"""The pages of game servers: those of a game, and each by itself."""

from functools import partial
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foundation import clock
from foundation.kept_pages import kept_page, show_kept, takes_parameters
from foundation.page_parts import ask_again, is_attended, is_unchanged, nothing_new
from leaderboards.logs.servers import (
    LATEST,
    ServerCard,
    cards_of_servers,
    connector_of,
    most_active,
    newest_logs,
    past_lines,
    playing_on,
    public_servers,
)
from leaderboards.visibility import public_ladders
from matchmaking.pages.ongoing import ongoing_of
from ratings.matches.summary import public_tracks
from ratings.models import Game, GameServer, Ladder, MatchLog, RatingTrack

# Matches that the page of a server names.
MATCHES = 15
_MOST_TOPICS = 15


class _SeenServers(NamedTuple):
    game: Game
    ladders: list[Ladder]
    cards: list[ServerCard]


class _SeenServer(NamedTuple):
    server: GameServer
    ladders: list[Ladder]
    tracks: dict[int, RatingTrack]
    logs: list[MatchLog]


@require_safe
@takes_parameters()
def servers(request: HttpRequest, slug: str) -> HttpResponse:
    """All servers of a game that everybody may see."""
    page = kept_page(
        request,
        "server/_servers.html",
        look=partial(_look_at_all, slug),
        name=_name_of_all,
        context=partial(_context_of_all, request),
    )
    if is_unchanged(request, page.version):
        return nothing_new()
    ongoing = ongoing_of(request.user, is_there=is_attended(request))
    frame = {"game": page.seen.game, "ongoing": ongoing}
    return show_kept(request, "server/servers.html", frame, page, ongoing.player_ids)


@require_safe
@takes_parameters()
def server(request: HttpRequest, slug: str, server: str) -> HttpResponse:
    """What is played on a server, its latest matches, and who plays there most."""
    page = kept_page(
        request,
        "server/_server.html",
        look=partial(_look, slug, server),
        name=_name,
        context=partial(_context, request),
    )
    if is_unchanged(request, page.version):
        return nothing_new()
    ongoing = ongoing_of(request.user, is_there=is_attended(request))
    frame = {"server": page.seen.server, "game": page.seen.server.game, "ongoing": ongoing}
    return show_kept(request, "server/server.html", frame, page, ongoing.player_ids)


def _look_at_all(slug: str) -> _SeenServers:
    game = Game.objects.in_use().filter(slug=slug).first()
    if game is None:
        raise Http404
    ladders = list(public_ladders().filter(game=game))
    cards = cards_of_servers(list(public_servers(game)), [ladder.pk for ladder in ladders])
    return _SeenServers(game, ladders, cards)


def _name_of_all(seen: _SeenServers) -> object:
    cards = [
        (it.server.slug, it.server.name, it.server.ladder.name, it.newest, it.playing, it.players)
        for it in seen.cards
    ]
    return seen.game.name, cards


def _context_of_all(request: HttpRequest, seen: _SeenServers, version: str) -> dict[str, Any]:
    return {
        "game": seen.game,
        "cards": seen.cards,
        "topics": _topics(seen.ladders),
        "again": ask_again(request, version),
        "crumbs": _crumbs(seen.game),
        "now": clock.now(),
    }


def _look(slug: str, name: str) -> _SeenServer:
    found = public_servers().filter(game__slug=slug, slug=name).first()
    if found is None:
        raise Http404
    ladders = list(public_ladders().filter(game=found.game_id))
    logs = newest_logs(found, [ladder.pk for ladder in ladders], MATCHES)
    return _SeenServer(found, ladders, public_tracks(ladders), logs)


def _name(seen: _SeenServer) -> object:
    own, sends = seen.server, connector_of(seen.server)
    return (
        (own.pk, own.name, own.ladder_id, own.ladder.name),
        None if sends is None else (sends.kind, sends.lost, sends.late, sends.dropped),
        [(log.match_id, log.highest, log.match.state, log.match.ladder_seq) for log in seen.logs],
        [(track.pk, track.revision) for track in seen.tracks.values()],
    )


def _context(request: HttpRequest, seen: _SeenServer, version: str) -> dict[str, Any]:
    own, logs = seen.server, seen.logs
    return {
        "server": own,
        "connector": connector_of(own),
        "playing": playing_on(logs),
        "lines": past_lines(logs, seen.tracks),
        "active": most_active(own, seen.ladders, seen.tracks),
        "latest": LATEST,
        "last_event_at": max((log.last_event_at for log in logs), default=None),
        "topics": f"ladder:{own.ladder_id}",
        "again": ask_again(request, version),
        "crumbs": [*_crumbs(own.game), (_("Servers"), reverse("servers", args=[own.game.slug]))],
        "now": clock.now(),
    }


def _crumbs(game: Game) -> list[tuple[str, str]]:
    return [(_("Games"), reverse("home")), (game.name, game.get_absolute_url())]


def _topics(ladders: list[Ladder]) -> str:
    """What the page listens to; a stream takes no more than so many."""
    return " ".join(f"ladder:{ladder.pk}" for ladder in ladders[:_MOST_TOPICS]) or "site"
