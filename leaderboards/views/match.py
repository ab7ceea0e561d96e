"""The page of a match."""

from collections.abc import Collection
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from foundation import clock
from foundation.kept_pages import kept_page, show_kept, takes_parameters
from foundation.page_parts import ask_again, is_attended, is_unchanged, nothing_new
from foundation.postgresql.rows import BuiltOnce
from leaderboards.logs.told_match import told_match_of
from leaderboards.matches.detail import detail_of
from leaderboards.views.requests import link, positive, refuses_bad_parameters
from matchmaking.feedback.ask import questions_about
from matchmaking.pages.after_match import acts_after
from matchmaking.pages.ongoing import ongoing_of
from ratings.matches.silenced import silenced_until
from ratings.matches.summary import by_ladder, people_of_matches, summary_of, with_people
from ratings.models import (
    OPEN,
    Facet,
    Match,
    MatchLog,
    MatchState,
    Mode,
    Player,
    RatedBy,
    RatingTrack,
    SuspendedFrom,
    TrackState,
)
from ratings.sanctions import suspended

_UNDECIDED = {*OPEN, MatchState.DISPUTED}
# What anybody may see.
_public = BuiltOnce(
    lambda pk: Match.objects.visible_to().filter(pk=pk).select_related("ladder__game"), int
)
_tracks = BuiltOnce(lambda ladder: RatingTrack.objects.public().filter(ladder=ladder), int)


class _Seen(NamedTuple):
    match: Match
    track: RatingTrack | None
    is_mine: bool  # the reader is asked for a report, unless a sanction keeps the player from it
    may_report: bool
    silenced_until: datetime | None = None
    log: MatchLog | None = None  # where a server tells the match
    counted: object = None  # how far the tracks are that count for it, where players see none


@require_safe
@takes_parameters("before")
@refuses_bad_parameters
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Who played, how it ended, and each rating change explained; 404 of a match that is not for the visitor."""
    read = partial(
        kept_page, request, "match/_detail.html", name=_name, context=partial(_context, request)
    )
    try:
        # What anybody may see, but where it is under way: then its players are asked for their reports.
        page = read(look=partial(_look, pk, None, request.user.pk), keep=_is_for_all)
    except Http404:
        if not request.user.is_authenticated:
            raise
        page = read(look=partial(_look, pk, request.user, request.user.pk), keep=lambda _: False)
    if is_unchanged(request, page.version):
        return nothing_new()
    found, ongoing = page.seen.match, ongoing_of(request.user, is_there=is_attended(request))
    frame = {
        "match": found,
        "summary": summary_of(found),
        "told_on": page.seen.log and page.seen.log.server,
        "canonical": request.build_absolute_uri(request.path),
        "ongoing": ongoing,
        # Of who took part alone: no query for all others.
        "questions": questions_about(
            pk, ongoing.player_ids & {one.player_id for one in found.participants.all()}
        ),
        "others": _others(found, ongoing.player_ids),
        "acts": acts_after(found, list(found.participants.all()), ongoing.player_ids, ongoing.now),
    }
    return show_kept(request, "match/match.html", frame, page, ongoing.player_ids)


def _others(found: Match, own: Collection[int]) -> list[Player]:
    """With whom the visitor has played there, to report one of them."""
    people = [one.player for one in found.participants.all()]
    others = [one for one in people if one.pk not in own]
    return others if len(others) < len(people) else []


def _look(pk: int, account: User | None, reader: int | None) -> _Seen:
    found: Match | None
    if account is None:
        found = next(iter(_public(pk)), None)
        if found is not None:
            prefetch_related_objects([found], people_of_matches())
    else:
        found = with_people(Match.objects.visible_to(account=account)).filter(pk=pk).first()
    if found is None:
        raise Http404
    track = by_ladder(_tracks(found.ladder_id), [found.ladder]).get(found.ladder_id)
    if found.ladder.rated_by == RatedBy.EVENTS:
        return _look_at_told(found, track)
    mine = []
    if reader is not None and found.state in _UNDECIDED:
        mine = [one.player_id for one in found.participants.all() if one.player.user_id == reader]
    may_report = bool(mine) and not suspended(mine, SuspendedFrom.RESULTS)
    silenced = silenced_until(found) if mine and not may_report else None
    return _Seen(found, track, bool(mine), may_report, silenced)


def _look_at_told(found: Match, track: RatingTrack | None) -> _Seen:
    """A match that a server tells: nobody is asked for a report."""
    log = MatchLog.objects.filter(match=found).select_related("server__ladder__game").first()
    counted = None
    if track is None:
        live = RatingTrack.objects.filter(ladder=found.ladder, facet=Facet.NONE)
        counted = list(live.filter(state=TrackState.LIVE).values_list("pk", "revision"))
    return _Seen(found, track, is_mine=False, may_report=False, log=log, counted=counted)


def _name(seen: _Seen) -> object:
    found, track = seen.match, seen.track
    facts = (
        found.state,
        found.ladder_seq,
        found.map,
        found.is_neutral,
        found.ended_at,
        found.corrected_at,
    )
    people = [(one.player_id, one.rank, one.score) for one in found.participants.all()]
    log = seen.log
    return (
        facts,
        people,
        log and (log.server.name, log.highest, log.complete_to, seen.counted),
        track and (track.pk, track.revision),
        (seen.is_mine, seen.may_report, seen.silenced_until),
    )


def _is_for_all(seen: _Seen) -> bool:
    """Whether the page is the same for everybody: it is over, or nobody is asked for a report."""
    return seen.log is not None or seen.match.state not in _UNDECIDED


def _context(request: HttpRequest, seen: _Seen, version: str) -> dict[str, Any]:
    found, now = seen.match, clock.now()
    detail = detail_of(found, now)
    is_open = found.state in OPEN
    is_waiting = (
        found.state == MatchState.CONFIRMED and found.rated and detail.summary.track is not None
    )
    game, ladder = found.ladder.game, found.ladder
    crumbs = [(_("Games"), reverse("home")), (game.name, game.get_absolute_url())]
    if ladder.mode == Mode.RANKED:  # another has no page to lead to
        crumbs.append((ladder.name, ladder.get_absolute_url()))
    told = None
    if seen.log is not None:
        told = told_match_of(seen.log, detail.summary, before=positive(request.GET, "before"))
    # The page asks again as long as it will soon show something else.
    asks = is_open or (is_waiting and not detail.calculations)
    return {
        "match": found,
        "detail": detail,
        "told": told,
        "first": link(request.path) if told and "before" in request.GET else None,
        "next": link(request.path, before=told.events.older)
        if told and told.events.older
        else None,
        "is_mine": seen.is_mine,
        "may_report": seen.may_report,
        "silenced_until": seen.silenced_until,
        "again": ask_again(request, version) if asks else "",
        "crumbs": crumbs,
        "now": now,
    }
