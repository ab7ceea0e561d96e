"""The leaderboard of a ladder."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from foundation import clock
from foundation.page_parts import (
    ask_again,
    asks_again,
    is_unchanged,
    nothing_new,
    show,
    version_of,
    wants_part,
)
from leaderboards.boards import ranking
from leaderboards.players.search import LONGEST, find_in_track
from leaderboards.views.requests import BadParameterError, link, positive, refuses_bad_parameters
from leaderboards.visibility import public_ladders, shown_tracks
from ratings.models import Ladder, Player, RatingTrack

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
@refuses_bad_parameters
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """A page of the standings: the top, or where a cursor, a rank or a player is."""
    ladder = get_object_or_404(public_ladders(), slug=slug)
    question = _read(request)
    context = {
        "ladder": ladder,
        "question": question,
        "here": request.path,
        "canonical": request.build_absolute_uri(request.path),
        "now": clock.now(),
    }
    track = shown_tracks([ladder]).get(ladder.pk)
    version = _version(ladder, track)
    if is_unchanged(request, version):
        return nothing_new()
    if track is None and wants_part(request):
        return HttpResponseClientRefresh()  # what is open shows a board that is gone
    if track is not None:
        context |= _board(request, track, question)
    asks = asks_again(request)
    context |= {"again": ask_again(request, version), "asks": asks}
    part = "leaderboard/_standings.html" if asks else "leaderboard/_board.html"
    return show(request, "leaderboard/leaderboard.html", context, part=part)


def _version(ladder: Ladder, track: RatingTrack | None) -> str:
    """Another name when the board has been brought up to date since, or matches were counted."""
    board = getattr(track, "board", None)
    shown = (board.revision, board.updated_at) if board else None
    return version_of(track and track.pk, shown, ladder.last_seq)


def _board(request: HttpRequest, track: RatingTrack, question: Question) -> dict[str, Any]:
    me = _own_player(request, track.ladder)
    page, missing = _find_page(track, question)
    counts = ranking.counts(track)
    return {
        "track": track,
        "page": page,
        "missing": missing,
        "counts": counts,
        "hidden": counts.inactive + counts.provisional,
        "summary": ranking.summary(track),
        "me": me,
        "marked": {question.player, me.pk if me else None},
        "found": find_in_track(track, question.query) if question.query else None,
        "links": _links(request.path, question, page, me),
        "first_position": page.first_rank,
    }


def _find_page(track: RatingTrack, question: Question) -> tuple[ranking.Page, str]:
    """The page, and what to say when the one asked for does not exist and the top is shown instead."""
    everyone = question.everyone
    if question.player:
        page = ranking.around(track, question.player, everyone=everyone, size=SIZE)
        if page is not None:
            return page, ""
        return _top(track, everyone), _("This player is not on the leaderboard as shown here.")
    if question.rank:
        page = ranking.at_rank(track, question.rank, everyone=everyone, size=SIZE)
        if page.rows:
            return page, ""
        return _top(track, everyone), _("The leaderboard ends before this rank.")
    page = ranking.page(
        track, after=question.after, before=question.before, everyone=everyone, size=SIZE
    )
    return page, ""


def _top(track: RatingTrack, everyone: bool) -> ranking.Page:
    return ranking.page(track, everyone=everyone, size=SIZE)


def _links(
    path: str, question: Question, page: ranking.Page, me: Player | None
) -> dict[str, str | None]:
    everyone = int(question.everyone)
    return {
        "first": link(path, everyone=everyone) if page.previous else None,
        "previous": link(path, everyone=everyone, before=page.previous) if page.previous else None,
        "next": link(path, everyone=everyone, after=page.next) if page.next else None,
        "around": link(path, everyone=everyone, player=me.pk) if me else None,
        "other": link(path, everyone=int(not question.everyone), player=question.player),
        "everyone": link(path, everyone=1),
    }


def _own_player(request: HttpRequest, ladder: Ladder) -> Player | None:
    if not request.user.is_authenticated:
        return None
    return Player.objects.filter(user=request.user, game=ladder.game_id).first()


def _read(request: HttpRequest) -> Question:
    given = request.GET
    if given.get("everyone", "") not in {"", "0", "1"}:
        raise BadParameterError(_("“everyone” must be 1 or 0."))
    question = Question(
        everyone=given.get("everyone") == "1",
        rank=positive(given, "rank"),
        player=positive(given, "player"),
        after=_cursor(given.get("after", "")),
        before=_cursor(given.get("before", "")),
        query=given.get("q", "").strip()[:LONGEST],
    )
    places = (question.rank, question.player, question.after, question.before)
    if sum(place is not None for place in places) > 1:
        raise BadParameterError(
            _("Only one of “rank”, “player”, “after” and “before” can be given.")
        )
    return question


def _cursor(text: str) -> ranking.Cursor | None:
    if not text:
        return None
    try:
        return ranking.Cursor.parse(text)
    except ValueError:
        raise BadParameterError(
            _("This page of the leaderboard doesn't exist. Start at the top.")
        ) from None
