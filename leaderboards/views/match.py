"""The page of a match."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foundation import clock
from leaderboards.lines import with_people
from leaderboards.stories import story_of
from ratings.models import Match, Mode


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Who played, how it ended, and each rating change explained."""
    found = get_object_or_404(with_people(Match.objects.all()), pk=pk)
    now = clock.now()
    context = {
        "match": found,
        "story": story_of(found, now),
        "crumbs": _crumbs(found),
        "canonical": request.build_absolute_uri(request.path),
        "now": now,
    }
    return render(request, "match/match.html", context)


def _crumbs(match: Match) -> list[tuple[str, str]]:
    """From the games down; a ladder that is not public has no page to lead to."""
    game, ladder = match.ladder.game, match.ladder
    crumbs = [(_("Games"), reverse("home")), (game.name, game.get_absolute_url())]
    if ladder.mode == Mode.RANKED:
        crumbs.append((ladder.name, ladder.get_absolute_url()))
    return crumbs
