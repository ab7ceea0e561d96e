"""The page of a player."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

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
from foundation.postgresql.prepared import prepared
from foundation.postgresql.rows import BuiltOnce
from leaderboards.charts.player_history import chart_of
from leaderboards.logs.rivals import on_servers
from leaderboards.matches.lists import player_lines
from leaderboards.models import Board
from leaderboards.players.drift import latest_drifts, with_drift
from leaderboards.players.profile import LadderRating, history_of, ratings_of_player, with_peaks
from leaderboards.views.requests import (
    BadParameterError,
    link,
    positive,
    refuses_bad_parameters,
)
from matchmaking.avoid_list import avoids
from matchmaking.pages.ongoing import ongoing_of
from people.profiles import shown_profile
from people.ties import relation
from ratings.matches.summary import with_people
from ratings.models import Ladder, Match, Participant, Player, RatedBy, Rating

SIZE = 25


_player = BuiltOnce(lambda pk: Player.objects.in_use().select_related("game").filter(pk=pk), int)
_ladders = BuiltOnce(lambda game: Ladder.objects.public().filter(game=game).order_by("pk"), int)
_ratings = BuiltOnce(
    lambda player: (
        Rating.objects.public_of_any_facet()
        .filter(player=player)
        .select_related("track__board")
        .order_by("pk")
    ),
    int,
)
# Of `_played`, what a version is made of.
_LATEST = """
SELECT participant.match_id, match.state, match.ladder_seq
FROM ratings_participant AS participant JOIN ratings_match AS match ON match.id = participant.match_id
WHERE participant.player_id = %(player)s AND match.ladder_id = ANY(%(ladders)s::bigint[])
ORDER BY participant.match_id DESC LIMIT %(most)s
"""


class _Seen(NamedTuple):
    player: Player
    # the public ladders of the game, by their keys
    ladders: list[int]
    # of the player's public ratings: track, facet, revision, and how far its board is
    ratings: list[tuple[Any, ...]]
    # of the latest public matches: id, state, number in the sequence
    matches: list[tuple[Any, ...]]


@require_safe
@takes_parameters("before", "ladder", "part")
@refuses_bad_parameters
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Ratings on every public ladder; history and matches of one of them (`ladder`, default: played last)."""
    template = "player/_content.html"
    if wants_part(request):
        is_of_ratings = request.GET.get("part") == "ratings"
        template = "player/_ratings.html" if is_of_ratings else "player/_matches.html"
    page = kept_page(
        request,
        template,
        look=partial(_look, pk),
        name=_name,
        context=partial(_context, request, template),
        audience=asks_again(request),
    )
    if is_unchanged(request, page.version):
        return nothing_new()
    found, user = page.seen.player, request.user
    if found.merged_into_id is not None:
        return _to_other(request, found.merged_into_id)
    ongoing = ongoing_of(user, is_there=is_attended(request))
    # Whether the visitor's player avoids this one, and what else is between them; None where there is no such player.
    is_avoided, tie = None, None
    if not wants_part(request) and found.user_id != user.pk:
        own = next((one.id for one in ongoing.players if one.game_id == found.game_id), None)
        if own is not None:
            is_avoided, tie = bool(avoids(own, [found.pk])), relation(own, found.pk)
    frame = {
        "player": found,
        "crumbs": [(_("Games"), reverse("home")), (found.game.name, found.game.get_absolute_url())],
        "canonical": request.build_absolute_uri(request.path),
        "avoiding": is_avoided,
        "tie": tie,
        "for_friends": shown_profile(found.pk, only_friends=True)
        if tie and tie.is_friend
        else None,
        "ongoing": ongoing,
    }
    return show_kept(request, "player/player.html", frame, page, ongoing.player_ids)


def _to_other(request: HttpRequest, pk: int) -> HttpResponse:
    """Lead to the page of the player into whom one was merged. Nobody may keep that: operators can take it back."""
    path, asked = reverse("player", args=[pk]), request.GET.urlencode()
    answer = redirect(f"{path}?{asked}" if asked else path, permanent=True, preserve_request=True)
    add_never_cache_headers(answer)
    return answer


def _look(pk: int) -> _Seen:
    found = next(iter(_player(pk)), None)
    if found is None:
        raise Http404
    ladders = [ladder.pk for ladder in _ladders(found.game_id)]
    ratings = []
    for rating in _ratings(pk):
        board: Board | None = getattr(rating.track, "board", None)
        refreshed = (board.revision, board.updated_at) if board else None
        ratings.append((rating.track_id, rating.facet, rating.revision, rating.status, refreshed))
    with prepared() as cursor:
        cursor.execute(_LATEST, {"player": pk, "ladders": ladders, "most": SIZE + 1})
        return _Seen(found, ladders, ratings, cursor.fetchall())


def _name(seen: _Seen) -> object:
    return seen.player.pk, seen.player.name, seen.player.looks_alike, seen.ratings, seen.matches


def _context(request: HttpRequest, template: str, seen: _Seen, version: str) -> dict[str, Any]:
    found, now, slug = seen.player, clock.now(), request.GET.get("ladder", "")
    ratings = ratings_of_player(found, now)
    if template != "player/_matches.html":
        ratings = with_drift(with_peaks(ratings))
    chosen = next((one for one in ratings if one.ladder.slug == slug or not slug), None)
    if slug and chosen is None:
        words = _("This player has no rating on a ladder “%(ladder)s”.")
        raise BadParameterError(words % {"ladder": slug[:60]})
    context: dict[str, Any] = {
        "player": found,
        "ratings": ratings,
        "chosen": chosen,
        "tabs": [  # one a ladder, where there is a choice
            (one.ladder.name, link(request.path, ladder=one.ladder.slug), one is chosen)
            for one in ratings
            if len(ratings) > 1
        ],
        "now": now,
        # What the parts of the page follow, and where they ask for news.
        "topics": " ".join(f"ladder:{one.ladder.pk}" for one in ratings) or "site",
        "ratings_again": link(request.path, ladder=slug, part="ratings", seen=version),
        "matches_again": ask_again(request, version),
        "asks": asks_again(request),
    }
    if chosen is not None and template != "player/_matches.html":
        context["chart"] = chart_of(chosen, history_of(chosen, now))
        context["drifts"] = latest_drifts(chosen)
        if chosen.ladder.rated_by == RatedBy.EVENTS:
            context["on_servers"] = on_servers(found, chosen.ladder)
    if template == "player/_content.html":
        context["profile"] = shown_profile(found.pk)
    if template != "player/_ratings.html":
        context |= _matches(request, seen, chosen)
    return context


def _played(found: Player, ladders: Sequence[int]) -> QuerySet[Participant]:
    """The latest first. Ladders by their keys: as one statement every match of the player was read to find them."""
    played = Participant.objects.filter(player=found, match__ladder__in=ladders)
    return played.order_by("-match_id")


def _matches(request: HttpRequest, seen: _Seen, chosen: LadderRating | None) -> dict[str, Any]:
    """A page of matches, newest first, read on from the id of the last one."""
    before = positive(request.GET, "before")
    ladders = [chosen.ladder.pk] if chosen is not None else seen.ladders
    played = _played(seen.player, ladders)
    if before is not None:
        played = played.filter(match__lt=before)
    latest = played.values("match_id")[: SIZE + 1]
    read = list(with_people(Match.objects.filter(pk__in=latest)).order_by("-pk"))
    slug = chosen.ladder.slug if chosen else None
    more = len(read) > SIZE
    return {
        "lines": player_lines(
            read[:SIZE], [seen.player.pk], {chosen.ladder.pk: chosen.forecaster} if chosen else None
        ),
        "first": link(request.path, ladder=slug) + "#matches" if before else None,
        "next": link(request.path, ladder=slug, before=read[SIZE - 1].pk) if more else None,
    }
