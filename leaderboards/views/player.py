"""The page of a player."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

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
from leaderboards.charts.player_history import chart_of
from leaderboards.matches.lists import player_lines, version_of_lines, with_people
from leaderboards.players.profile import LadderRating, history_of, ratings_of_player, with_peaks
from leaderboards.views.requests import BadParameterError, link, positive, refuses_bad_parameters
from matchmaking.parties.avoid_list import avoids
from ratings.models import Ladder, Match, Participant, Player

SIZE = 25


@require_safe
@refuses_bad_parameters
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Ratings on every public ladder; history and matches of one of them (`ladder`, default: played last)."""
    found = get_object_or_404(Player.objects.select_related("game"), pk=pk)
    now = clock.now()
    ratings = ratings_of_player(found, now)
    is_part = wants_part(request)
    if not is_part or request.GET.get("part") == "ratings":
        ratings = with_peaks(ratings)
    chosen = _chosen(request, ratings)
    if is_part and request.GET.get("part") == "ratings":
        return _show_ratings(request, found, ratings, chosen, now)
    matches = _matches(request, found, chosen)
    version = version_of_lines(matches["lines"])
    if is_unchanged(request, version):
        return nothing_new()
    context = {
        "player": found,
        "ratings": ratings,
        "chosen": chosen,
        "crumbs": [(_("Games"), reverse("home")), (found.game.name, found.game.get_absolute_url())],
        "tabs": _tabs(request, ratings, chosen),
        "canonical": request.build_absolute_uri(request.path),
        "now": now,
        "matches_again": ask_again(request, version),
        "asks": asks_again(request),
        "avoiding": None if is_part else _avoiding(request, found),
        **_follow(request, ratings),
        **matches,
    }
    if not is_part:
        context |= _history(chosen, now)
    return show(request, "player/player.html", context, part="player/_matches.html")


def _avoiding(request: HttpRequest, found: Player) -> bool | None:
    """Whether the visitor's player in this game avoids this one; None where the visitor cannot."""
    if not request.user.is_authenticated or found.user_id == request.user.pk:
        return None
    own = Player.objects.filter(game=found.game_id, user=request.user.pk).first()
    return None if own is None else bool(avoids(own.pk, [found.pk]))


def _show_ratings(
    request: HttpRequest,
    found: Player,
    ratings: list[LadderRating],
    chosen: LadderRating | None,
    now: datetime,
) -> HttpResponse:
    """Answer the part with ratings and history, which asks by itself."""
    follow = _follow(request, ratings)
    if is_unchanged(request, follow["version"]):
        return nothing_new()
    context = {
        "player": found,
        "ratings": ratings,
        "chosen": chosen,
        "tabs": _tabs(request, ratings, chosen),
        "now": now,
        **follow,
        **_history(chosen, now),
    }
    return show(request, "player/player.html", context, part="player/_ratings.html")


def _follow(request: HttpRequest, ratings: list[LadderRating]) -> dict[str, str]:
    """What the parts of the page follow, and where the ratings ask for news."""
    shown = [
        (one.track.pk, one.rating.revision, one.rank, one.listed, one.status, _apart_of(one))
        for one in ratings
    ]
    version = version_of(shown)
    slug = request.GET.get("ladder", "")
    return {
        "version": version,
        "topics": " ".join(f"ladder:{one.ladder.pk}" for one in ratings) or "site",
        "ratings_again": link(request.path, ladder=slug, part="ratings", seen=version),
    }


def _apart_of(shown: LadderRating) -> list[tuple[int, int]]:
    """Another list when one of the ratings by map or character is another."""
    return [
        (part.track.pk, max(one.rating.revision for one in part.ratings)) for part in shown.apart
    ]


def _history(chosen: LadderRating | None, now: datetime) -> dict[str, Any]:
    if chosen is None:
        return {}
    history = history_of(chosen, now)
    return {"chart": chart_of(chosen, history)}


def _chosen(request: HttpRequest, ratings: list[LadderRating]) -> LadderRating | None:
    slug = request.GET.get("ladder", "")
    if not slug:
        return ratings[0] if ratings else None
    for shown in ratings:
        if shown.ladder.slug == slug:
            return shown
    raise BadParameterError(
        _("This player has no rating on a ladder “%(ladder)s”.") % {"ladder": slug[:60]}
    )


def _tabs(
    request: HttpRequest, ratings: list[LadderRating], chosen: LadderRating | None
) -> list[tuple[str, str, bool]]:
    """One tab a ladder, where there is a choice."""
    if len(ratings) < 2:
        return []
    return [
        (shown.ladder.name, link(request.path, ladder=shown.ladder.slug), shown is chosen)
        for shown in ratings
    ]


def _matches(request: HttpRequest, found: Player, chosen: LadderRating | None) -> dict[str, Any]:
    """A page of matches, newest first, read on from the id of the last one."""
    before = positive(request.GET, "before")
    if chosen is not None:
        ladders = [chosen.ladder.pk]
    else:
        # By their keys: as one statement every match of the player was read to find the latest.
        of_game = Ladder.objects.public().filter(game=found.game_id)
        ladders = list(of_game.values_list("pk", flat=True))
    played = Participant.objects.filter(player=found, match__ladder__in=ladders)
    if before is not None:
        played = played.filter(match__lt=before)
    ids = list(played.order_by("-match_id").values_list("match_id", flat=True)[: SIZE + 1])
    read = list(with_people(Match.objects.filter(pk__in=ids)).order_by("-pk"))
    slug = chosen.ladder.slug if chosen else None
    more = len(read) > SIZE
    return {
        "lines": player_lines(read[:SIZE], [found.pk]),
        "first": link(request.path, ladder=slug) + "#matches" if before else None,
        "next": link(request.path, ladder=slug, before=read[SIZE - 1].pk) if more else None,
    }
