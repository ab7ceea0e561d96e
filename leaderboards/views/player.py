"""The page of a player."""

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
from leaderboards.matches.lists import player_lines, version_of_lines
from leaderboards.players.profile import LadderRating, history_of, ratings_of_player, with_peaks
from leaderboards.views.requests import BadParameterError, link, positive, refuses_bad_parameters
from matchmaking.avoid_list import avoids
from ratings.matches.summary import with_people
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
    is_of_ratings = is_part and request.GET.get("part") == "ratings"
    if not is_part or is_of_ratings:
        ratings = with_peaks(ratings)
    slug = request.GET.get("ladder", "")
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
        **_follow(request, ratings),
    }
    if is_of_ratings and is_unchanged(request, context["version"]):
        return nothing_new()
    if chosen is not None and (is_of_ratings or not is_part):
        context["chart"] = chart_of(chosen, history_of(chosen, now))
    if is_of_ratings:
        return show(request, "player/player.html", context, part="player/_ratings.html")
    matches = _matches(request, found, chosen)
    version = version_of_lines(matches["lines"])
    if is_unchanged(request, version):
        return nothing_new()
    # Whether the visitor's player avoids this one; None where there is no such player.
    own = is_avoided = None
    if not is_part and request.user.is_authenticated and found.user_id != request.user.pk:
        own = Player.objects.filter(game=found.game_id, user=request.user.pk).first()
    if own is not None:
        is_avoided = bool(avoids(own.pk, [found.pk]))
    context |= {
        "crumbs": [(_("Games"), reverse("home")), (found.game.name, found.game.get_absolute_url())],
        "canonical": request.build_absolute_uri(request.path),
        "matches_again": ask_again(request, version),
        "asks": asks_again(request),
        "avoiding": is_avoided,
        **matches,
    }
    return show(request, "player/player.html", context, part="player/_matches.html")


def _follow(request: HttpRequest, ratings: list[LadderRating]) -> dict[str, str]:
    """What the parts of the page follow, and where the ratings ask for news."""
    version = version_of(
        [
            (
                *(one.track.pk, one.rating.revision, one.rank, one.listed, one.status),
                # ratings by map or character
                [
                    (part.track.pk, max(rated.rating.revision for rated in part.ratings))
                    for part in one.facets
                ],
            )
            for one in ratings
        ]
    )
    slug = request.GET.get("ladder", "")
    return {
        "version": version,
        "topics": " ".join(f"ladder:{one.ladder.pk}" for one in ratings) or "site",
        "ratings_again": link(request.path, ladder=slug, part="ratings", seen=version),
    }


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
