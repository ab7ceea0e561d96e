"""The start page."""

from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from foundation import clock
from foundation.kept_pages import kept_page, show_kept, takes_parameters
from foundation.page_parts import ask_again, is_attended, is_unchanged, nothing_new, wants_part
from foundation.postgresql.rows import BuiltOnce
from foundation.postgresql.transactions import one_snapshot
from leaderboards.boards.overview import ActivityNow, activity_now, cards_of, games_of
from leaderboards.matches.lists import latest_lines
from leaderboards.own import overview_of
from leaderboards.views.own import may_play, overview_context
from leaderboards.visibility import public_ladders
from matchmaking.pages.ongoing import changes_of, ongoing_of
from ratings.matches.summary import by_ladder
from ratings.models import Ladder, RatingTrack

LATEST = 8

_ladders = BuiltOnce(public_ladders)
_tracks = BuiltOnce(lambda: RatingTrack.objects.public().select_related("board"))


class _Seen(NamedTuple):
    ladders: list[Ladder]
    tracks: dict[int, RatingTrack]
    activity: ActivityNow


@require_safe
@takes_parameters()
def home(request: HttpRequest) -> HttpResponse:
    """Games with their ladders, what goes on, and the latest matches; the first steps while there are none."""
    # Who is signed in has something of their own read too, of the same moment.
    with one_snapshot() if request.user.is_authenticated else nullcontext():
        return _home(request)


def _home(request: HttpRequest) -> HttpResponse:
    page = kept_page(
        request, "home/_content.html", look=_look, name=_name, context=partial(_context, request)
    )
    seen = page.seen  # others who look at the page may replace it
    if is_unchanged(request, page.version):
        return nothing_new()
    ongoing = ongoing_of(request.user, is_there=is_attended(request))
    frame: dict[str, Any] = {
        "ongoing": ongoing,
        "has_ladders": bool(seen.ladders),
        "may_play": may_play(ongoing, seen.ladders),
    }
    if not wants_part(request):
        frame["changes"] = changes = changes_of(ongoing)
        if ongoing.players:
            frame |= overview_context(overview_of(ongoing, changes, seen.tracks))
    return show_kept(request, "home/home.html", frame, page, ongoing.player_ids)


def _context(request: HttpRequest, seen: _Seen, version: str) -> dict[str, Any]:
    return {
        "games": games_of(cards_of(seen.ladders, seen.tracks)),
        "activity": seen.activity,
        "lines": latest_lines(seen.ladders, LATEST, seen.tracks),
        "again": ask_again(request, version),
        "now": clock.now(),
    }


def _look() -> _Seen:
    ladders = _ladders()
    return _Seen(ladders, by_ladder(_tracks(), ladders), activity_now())


def _name(seen: _Seen) -> object:
    boards = [(track.pk, getattr(track, "board", None)) for track in seen.tracks.values()]
    return (
        seen.activity,
        [(ladder.pk, ladder.last_seq) for ladder in seen.ladders],
        [(pk, board and board.revision, board and board.updated_at) for pk, board in boards],
    )
