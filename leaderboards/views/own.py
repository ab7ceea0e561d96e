"""The page of an account's own matches, and what the start page tells of it."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from foundation.kept_pages import keep_answer, kept_answer
from foundation.page_parts import (
    ask_again,
    asks_again,
    is_attended,
    is_unchanged,
    nothing_new,
    show,
    wants_part,
)
from leaderboards.matches.lists import version_of_lines
from leaderboards.own import OwnOverview, overview_of, own_lines
from leaderboards.views.requests import link, positive, refuses_bad_parameters
from leaderboards.visibility import public_ladders
from matchmaking.pages.ongoing import Ongoing, changes_of, ongoing_of
from ratings.models import Ladder, Mode

SIZE = 25


@login_required
@require_safe
@refuses_bad_parameters
def own_matches(request: HttpRequest) -> HttpResponse:
    """A page of matches over all games, newest first, read on from the id of the last one (`before`)."""
    before = positive(request.GET, "before")
    ongoing = ongoing_of(request.user, is_there=is_attended(request))
    read = own_lines([player.id for player in ongoing.players], SIZE + 1, before)
    lines = read[:SIZE]
    version = version_of_lines(lines)
    if is_unchanged(request, version):
        return nothing_new()
    # Where it is told that a match has been rated; ladders in normal mode have nothing to tell.
    ladders = [line.match.ladder for line in lines]
    topics = {f"ladder:{ladder.pk}" for ladder in ladders if ladder.mode == Mode.RANKED}
    context = {
        "ongoing": ongoing,
        "lines": lines,
        "topics": " ".join(["player", *sorted(topics)]),
        "matches_again": ask_again(request, version),
        "asks": asks_again(request),
        "first": link(request.path) if before else None,
        "next": link(request.path, before=lines[-1].match.pk) if len(read) > SIZE else None,
    }
    return show(request, "own/matches.html", context, part="own/_matches.html")


@never_cache
@require_safe
def own_overview(request: HttpRequest) -> HttpResponse:
    """The part of the start page that shows what is under way for the visitor, their ratings and last matches."""
    if not wants_part(request):
        return redirect("home")
    ongoing = ongoing_of(request.user, is_there=is_attended(request))
    if not ongoing.players:
        return HttpResponseClientRefresh()  # signed out since: the start page begins in another way
    overview = overview_of(ongoing, changes_of(ongoing))
    if is_unchanged(request, overview.version):
        return nothing_new()
    frame = {"may_play": may_play(ongoing, public_ladders())}
    return render(request, "home/_own_overview.html", frame | overview_context(overview))


def may_play(ongoing: Ongoing, ladders: Iterable[Ladder]) -> bool:
    """Whether the account may search for a match in any game: whoever may in none of theirs may play another yet."""
    if ongoing.may_search:
        return True
    own = {player.game_id for player in ongoing.players}
    return any(ladder.game_id not in own for ladder in ladders)


def overview_context(overview: OwnOverview) -> dict[str, Any]:
    """What the template of that part shows. Ratings and matches are rendered once while they are the same."""
    players = tuple((player.id, player.name) for player in overview.ongoing.players)
    key, kind = (players, get_language()), "own standings"
    standings = kept_answer(key, overview.version, kind=kind)
    if standings is None:
        shown = {"ongoing": overview.ongoing, "overview": overview}
        standings = render_to_string("home/_own_standings.html", shown)
        keep_answer(key, overview.version, standings, kind=kind, began=overview.read_at)
    return {
        "ongoing": overview.ongoing,
        "overview": overview,
        "changes": overview.changes,
        "own_standings": standings,
        "overview_again": link(reverse("own-overview"), seen=overview.version),
    }
