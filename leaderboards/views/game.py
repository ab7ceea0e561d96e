"""The page of a game."""

from functools import partial
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foundation import clock
from foundation.kept_pages import kept_page, show_kept, takes_parameters
from foundation.page_parts import ask_again, is_attended, is_unchanged, nothing_new, wants_part
from foundation.postgresql.rows import BuiltOnce
from leaderboards.boards.overview import cards_of
from leaderboards.logs.servers import ServerCard, cards_of_servers, public_servers
from leaderboards.matches.lists import latest_lines
from leaderboards.models import Board
from leaderboards.visibility import public_ladders
from matchmaking.pages.ongoing import ongoing_of
from ratings.matches.summary import by_ladder
from ratings.models import Feature, Game, Ladder, RatedBy, RatingTrack

LATEST = 12
_MOST_LADDERS = 15
_MOST_SERVERS = 12

_game = BuiltOnce(lambda slug: Game.objects.in_use().filter(slug=slug), str)
_feature = BuiltOnce(lambda game: Feature.objects.filter(game=game)[:1], int)
_ladders = BuiltOnce(lambda game: public_ladders().filter(game=game), int)
_tracks = BuiltOnce(
    lambda game: RatingTrack.objects.public().filter(ladder__game=game).select_related("board"), int
)


class _Seen(NamedTuple):
    game: Game
    has_features: bool
    ladders: list[Ladder]
    tracks: dict[int, RatingTrack]
    servers: list[ServerCard]


@require_safe
@takes_parameters()
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """The public ladders of a game and its latest matches."""
    page = kept_page(
        request,
        "game/_live.html" if wants_part(request) else "game/_content.html",
        look=partial(_look, slug),
        name=_name,
        context=partial(_context, request),
    )
    if is_unchanged(request, page.version):
        return nothing_new()
    ongoing = ongoing_of(request.user, is_there=is_attended(request))
    frame = {"game": page.seen.game, "ongoing": ongoing}
    return show_kept(request, "game/game.html", frame, page, ongoing.player_ids)


def _look(slug: str) -> _Seen:
    found = next(iter(_game(slug)), None)
    if found is None:
        raise Http404
    ladders = _ladders(found.pk)
    tracks = by_ladder(_tracks(found.pk), ladders)
    return _Seen(found, bool(_feature(found.pk)), ladders, tracks, _servers(found, ladders))


def _servers(game: Game, ladders: list[Ladder]) -> list[ServerCard]:
    """Nothing is read where no ladder is rated by what servers tell. Else two queries."""
    if all(ladder.rated_by != RatedBy.EVENTS for ladder in ladders):
        return []
    servers = list(public_servers(game)[:_MOST_SERVERS])
    return cards_of_servers(servers, [ladder.pk for ladder in ladders])


def _name(seen: _Seen) -> object:
    return (
        (seen.game.pk, seen.game.name, seen.game.description, seen.has_features),
        [(ladder.pk, ladder.name, ladder.last_seq) for ladder in seen.ladders],
        [(track.pk, track.revision, *_refreshed(track)) for track in seen.tracks.values()],
        [
            (it.server.slug, it.server.name, it.newest, it.playing, it.players)
            for it in seen.servers
        ],
    )


def _refreshed(track: RatingTrack) -> tuple[object, ...]:
    """How far its board is, whose leaders the page shows."""
    board: Board | None = getattr(track, "board", None)
    return (board.revision, board.updated_at) if board else ()


def _context(request: HttpRequest, seen: _Seen, version: str) -> dict[str, Any]:
    followed = [f"ladder:{ladder.pk}" for ladder in seen.ladders]
    return {
        # A stream takes no more than so many topics; of more ladders the page asks by itself.
        "topics": " ".join(followed[:_MOST_LADDERS]) or "site",
        "again": ask_again(request, version),
        "game": seen.game,
        "has_features": seen.has_features,
        "cards": cards_of(seen.ladders, seen.tracks),
        "servers": seen.servers,
        "lines": latest_lines(seen.ladders, LATEST, seen.tracks),
        "crumbs": [(_("Games"), reverse("home"))],
        "now": clock.now(),
    }
