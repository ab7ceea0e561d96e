"""The page of a match."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foundation import clock
from foundation.page_parts import ask_again, is_unchanged, nothing_new, show, version_of
from leaderboards.matches.detail import Story, story_of
from leaderboards.matches.lists import with_people
from ratings.models import OPEN, Match, MatchState, Mode


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Who played, how it ended, and each rating change explained; 404 of a match that is not for the visitor."""
    seen = Match.objects.visible_to(account=request.user)
    found = get_object_or_404(with_people(seen), pk=pk)
    now = clock.now()
    story = story_of(found, now)
    version = version_of(found.state, story.notice, [one.row.pk for one in story.calculations])
    if is_unchanged(request, version):
        return nothing_new()
    context = {
        "match": found,
        "story": story,
        "is_mine": found.state in OPEN and _takes_part(found, request),
        "again": ask_again(request, version) if _goes_on(found, story) else "",
        "crumbs": _crumbs(found),
        "canonical": request.build_absolute_uri(request.path),
        "now": now,
    }
    return show(request, "match/match.html", context, part="match/_detail.html")


def _takes_part(match: Match, request: HttpRequest) -> bool:
    """Whether the visitor is one of the players."""
    user = request.user.pk
    return user is not None and any(one.player.user_id == user for one in match.participants.all())


def _goes_on(match: Match, story: Story) -> bool:
    """Whether the page will soon tell something else."""
    waits = match.state == MatchState.CONFIRMED and story.track is not None
    return match.state in OPEN or (waits and not story.calculations)


def _crumbs(match: Match) -> list[tuple[str, str]]:
    """From the games down; a ladder that is not public has no page to lead to."""
    game, ladder = match.ladder.game, match.ladder
    crumbs = [(_("Games"), reverse("home")), (game.name, game.get_absolute_url())]
    if ladder.mode == Mode.RANKED:
        crumbs.append((ladder.name, ladder.get_absolute_url()))
    return crumbs
