"""The clans of a ladder, best first."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clans.boards import clan_board
from clans.models import BoardBy
from clans.rules import rules_of
from foundation.postgresql.transactions import from_one_snapshot
from leaderboards.visibility import public_track
from ratings.models import Player

__all__ = ["ladder_clans"]


@never_cache
@require_safe
@from_one_snapshot
def ladder_clans(request: HttpRequest, slug: str) -> HttpResponse:
    """Clans by the mean or sum of their best members on a public ladder."""
    track = public_track(slug)
    if track is None:
        raise Http404
    rules = rules_of(track.ladder.game_id)
    rows = clan_board(track, rules)
    best = Player.objects.in_bulk([row.best for row in rows])
    context = {
        "ladder": track.ladder,
        "track": track,
        "rules": rules,
        "is_mean": rules.board_by == BoardBy.MEAN,
        "rows": [(row, best[row.best]) for row in rows],
    }
    return render(request, "clans/ladder.html", context)
