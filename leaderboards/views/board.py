"""The leaderboard of a ladder."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from foundation import clock
from foundation.kept_pages import kept_page, show_kept, takes_parameters
from foundation.page_parts import (
    ask_again,
    asks_again,
    is_attended,
    is_unchanged,
    nothing_new,
    wants_part,
)
from leaderboards.boards import ranking
from leaderboards.models import Board
from leaderboards.players.search import LONGEST, find_in_track
from leaderboards.views.requests import (
    BadParameterError,
    cursor_of,
    link,
    positive,
    refuses_bad_parameters,
)
from leaderboards.visibility import board_of, public_ladders, public_track
from matchmaking.pages.ongoing import ongoing_of
from ratings.matches.counting import matches_that_count
from ratings.models import Ladder, RatingTrack

SIZE = 50


@dataclass(frozen=True, slots=True)
class Question:
    """What the address asks for. Of rank, player, after and before at most one has a value."""

    everyone: bool
    rank: int | None
    player: int | None
    after: ranking.Cursor | None
    before: ranking.Cursor | None
    query: str


@require_safe
@takes_parameters("after", "before", "everyone", "player", "q", "rank")
@refuses_bad_parameters
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """A page of the standings: the top, or where a cursor, a rank or a player is."""
    given = request.GET
    if given.get("everyone", "") not in {"", "0", "1"}:
        raise BadParameterError(_("“everyone” must be 1 or 0."))
    parse = ranking.Cursor.parse
    problem = _("This page of the leaderboard doesn't exist. Start at the top.")
    question = Question(
        everyone=given.get("everyone") == "1",
        rank=positive(given, "rank"),
        player=positive(given, "player"),
        after=cursor_of(given.get("after", ""), parse, problem),
        before=cursor_of(given.get("before", ""), parse, problem),
        query=given.get("q", "").strip()[:LONGEST],
    )
    starts = (question.rank, question.player, question.after, question.before)
    if sum(start is not None for start in starts) > 1:
        raise BadParameterError(
            _("Only one of “rank”, “player”, “after” and “before” can be given.")
        )
    template = "leaderboard/_content.html"
    if wants_part(request):
        template = (
            "leaderboard/_standings.html" if asks_again(request) else "leaderboard/_board.html"
        )
    page = kept_page(
        request,
        template,
        look=partial(_look, slug),
        name=_name,
        context=partial(_context, request, question),
        keep=lambda _: not question.query,
    )
    if is_unchanged(request, page.version):
        return nothing_new()
    ladder, track = page.seen
    if track is None and wants_part(request):
        return HttpResponseClientRefresh()  # what is open shows a board that is gone
    ongoing = ongoing_of(request.user, is_there=is_attended(request))
    context = {
        "ladder": ladder,
        "question": question,
        "canonical": request.build_absolute_uri(request.path),
        "ongoing": ongoing,
    }
    me = [one.id for one in ongoing.players if one.game_id == ladder.game_id][:1]
    own = {}
    if me and not asks_again(request):  # the standings alone do not lead to anybody
        around = link(request.path, everyone=int(question.everyone), player=me[0])
        own["find_me"] = SafeString(
            render_to_string("leaderboard/_find_me.html", {"around": around})
        )
    return show_kept(request, "leaderboard/leaderboard.html", context, page, me, own)


def _look(slug: str) -> tuple[Ladder, RatingTrack | None]:
    track = public_track(slug)
    if track is None:  # nothing rates it yet, or nobody may see it
        return get_object_or_404(public_ladders(), slug=slug), None
    return track.ladder, track


def _name(seen: tuple[Ladder, RatingTrack | None]) -> object:
    ladder, track = seen
    board = getattr(track, "board", None)
    refreshed = (board.revision, board.updated_at) if board else None
    return track and track.pk, refreshed, ladder.last_seq


def _context(
    request: HttpRequest,
    question: Question,
    seen: tuple[Ladder, RatingTrack | None],
    version: str,
) -> dict[str, Any]:
    ladder, track = seen
    return {
        "ladder": ladder,
        "matches": matches_that_count([ladder])[ladder.pk],
        "question": question,
        "here": request.path,
        "now": clock.now(),
        "again": ask_again(request, version),
        "asks": asks_again(request),
        **(_board(request, track, question) if track else {}),
    }


def _board(request: HttpRequest, track: RatingTrack, question: Question) -> dict[str, Any]:
    """The page asked for; where it does not exist the top, and `missing` says so."""
    everyone, missing = question.everyone, ""
    of = board_of(track)
    page: ranking.Page | None
    if question.player:
        page = ranking.around(of, question.player, everyone=everyone, size=SIZE)
        missing = "" if page else _("This player is not on the leaderboard as shown here.")
    elif question.rank:
        page = ranking.at_rank(of, question.rank, everyone=everyone, size=SIZE)
        missing = "" if page.rows else _("The leaderboard ends before this rank.")
    else:
        page = ranking.page(
            of, after=question.after, before=question.before, everyone=everyone, size=SIZE
        )
    if page is None or missing:
        page = ranking.page(of, everyone=everyone, size=SIZE)
    counts = ranking.counts(of)
    path, flag = request.path, int(everyone)
    return {
        "track": track,
        "deviations": of.deviations if isinstance(of, Board) else 0.0,
        "page": page,
        "missing": missing,
        "counts": counts,
        "hidden": counts.inactive + counts.provisional,
        # whether what is missing may be among the hidden
        "may_be_hidden": not everyone and (not question.rank or question.rank <= counts.total),
        "summary": ranking.summary(of),
        "found": find_in_track(track, question.query) if question.query else None,
        "links": {
            "first": link(path, everyone=flag) if page.previous else None,
            "previous": link(path, everyone=flag, before=page.previous) if page.previous else None,
            "next": link(path, everyone=flag, after=page.next) if page.next else None,
            "other": link(
                path, everyone=int(not everyone), player=question.player, rank=question.rank
            ),
            "everyone": link(path, everyone=1),
        },
        "first_position": page.first_rank,
    }
