"""The start page."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from foundation import clock
from foundation.page_parts import ask_again, is_unchanged, nothing_new, show, version_of
from leaderboards.boards.overview import Figures, cards_of, figures_of_now, games_of
from leaderboards.matches.lists import latest_lines
from leaderboards.visibility import public_ladders, shown_tracks
from ratings.models import Ladder

LATEST = 8


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Games with their ladders, what goes on, and the latest matches; the first steps while there are none."""
    ladders = list(public_ladders())
    now = clock.now()
    figures = figures_of_now(now)
    version = _version(figures, ladders)
    if is_unchanged(request, version):
        return nothing_new()
    context = {
        "games": games_of(cards_of(ladders)),
        "figures": figures,
        "lines": latest_lines(ladders, LATEST),
        "again": ask_again(request, version),
        "now": now,
    }
    return show(request, "home/home.html", context, part="home/_live.html")


def _version(figures: Figures, ladders: Sequence[Ladder]) -> str:
    """Another name when a figure is another, or a board has been brought up to date."""
    tracks = shown_tracks(ladders).values()
    boards = [(track.pk, getattr(track, "board", None)) for track in tracks]
    return version_of(
        figures,
        [(ladder.pk, ladder.last_seq) for ladder in ladders],
        [(pk, board and board.revision, board and board.updated_at) for pk, board in boards],
    )
