"""The start page."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from foundation import clock
from foundation.page_parts import ask_again, is_unchanged, nothing_new, show, version_of
from leaderboards.boards.overview import activity_now, cards_of, games_of
from leaderboards.matches.lists import latest_lines
from leaderboards.visibility import public_ladders, shown_tracks

LATEST = 8


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Games with their ladders, what goes on, and the latest matches; the first steps while there are none."""
    ladders = list(public_ladders())
    now = clock.now()
    activity = activity_now(now)
    boards = [(track.pk, getattr(track, "board", None)) for track in shown_tracks(ladders).values()]
    version = version_of(
        activity,
        [(ladder.pk, ladder.last_seq) for ladder in ladders],
        [(pk, board and board.revision, board and board.updated_at) for pk, board in boards],
    )
    if is_unchanged(request, version):
        return nothing_new()
    context = {
        "games": games_of(cards_of(ladders)),
        "activity": activity,
        "lines": latest_lines(ladders, LATEST),
        "again": ask_again(request, version),
        "now": now,
    }
    return show(request, "home/home.html", context, part="home/_live.html")
