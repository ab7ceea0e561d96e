"""The page of a match."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foundation import clock
from foundation.page_parts import ask_again, is_unchanged, nothing_new, show, version_of
from leaderboards.matches.detail import detail_of
from ratings.matches.summary import with_people
from ratings.models import OPEN, Match, MatchState, Mode


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Who played, how it ended, and each rating change explained; 404 of a match that is not for the visitor."""
    visible = Match.objects.visible_to(account=request.user)
    found = get_object_or_404(with_people(visible), pk=pk)
    now = clock.now()
    detail = detail_of(found, now)
    version = version_of(found.state, detail.notice, [one.entry.pk for one in detail.calculations])
    if is_unchanged(request, version):
        return nothing_new()
    is_open, user = found.state in OPEN, request.user.pk
    takes_part = any(one.player.user_id == user for one in found.participants.all())
    is_waiting = found.state == MatchState.CONFIRMED and detail.summary.track is not None
    game, ladder = found.ladder.game, found.ladder
    crumbs = [(_("Games"), reverse("home")), (game.name, game.get_absolute_url())]
    if ladder.mode == Mode.RANKED:  # another has no page to lead to
        crumbs.append((ladder.name, ladder.get_absolute_url()))
    context = {
        "match": found,
        "detail": detail,
        "is_mine": is_open and user is not None and takes_part,
        # The page asks again as long as it will soon show something else.
        "again": (
            ask_again(request, version)
            if is_open or (is_waiting and not detail.calculations)
            else ""
        ),
        "crumbs": crumbs,
        "canonical": request.build_absolute_uri(request.path),
        "now": now,
    }
    return show(request, "match/match.html", context, part="match/_detail.html")
