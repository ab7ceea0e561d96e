"""Players, their ratings, their history and their matches."""

import base64
from typing import Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.contract.fields import ShortNameField, TextField
from api.contract.pages import CursorField, PageBody, keys_by, link, page_by, page_shape, wrong
from api.contract.problems import ProblemError
from api.serializers.matches import MatchesShape, match_of
from api.serializers.players import PlayerShape, player_of
from api.serializers.ratings import ChangeShape, RatingsShape, change_of, rating_of
from api.views.arranged_matches import ladder_of
from api.views.base import ApiView
from foundation.transactions import from_one_snapshot
from leaderboards.matches.lists import with_people
from leaderboards.players.profile import ratings_of_player
from leaderboards.players.search import SearchCursor, find_players
from leaderboards.visibility import public_ladders, shown_tracks
from ratings.models import Ladder, Match, Participant, Player, RatingChange

__all__ = ["HistoryView", "PlayerMatchesView", "PlayerView", "PlayersView", "RatingsView"]

HistoryShape = page_shape("HistoryShape", ChangeShape)
PlayersShape = page_shape("PlayersShape", PlayerShape)

_FOUND = "p"  # with which cursors of this list begin


class OfLadderBody(PageBody):
    """Of which ladder."""

    ladder = ShortNameField(required=False, help_text="Short name of a ladder; all without it.")


class SearchBody(PageBody):
    """Who is looked for."""

    search = TextField(
        help_text="A name, or beginnings of its words, in any order. Case, accents and look-alikes do not matter."
    )
    game = ShortNameField(required=False, help_text="Short name of a game; all without it.")
    cursor = CursorField(
        required=False, max_length=1000, help_text="From `next` of the page before."
    )


class PlayersView(ApiView):
    """Players, by their names."""

    access = {"GET": PUBLIC}
    query = {"GET": SearchBody}
    tag = "Players"

    @extend_schema(summary="Search for players", responses=PlayersShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Whoever is called exactly so comes first, then names that begin so, then those with a further word that does.
        The same players as on the page of search.
        """
        given = self.parameters
        found = find_players(
            given["search"],
            after=_place(given),
            size=given["limit"],
            game=given.get("game"),
            ratings=False,
        )
        page: HttpRequest = request._request
        results = [
            player_of(it, self.caller, page.build_absolute_uri(it.get_absolute_url()))
            for it in found.players
        ]
        after = None if found.next is None else f"{_FOUND}{_packed(str(found.next))}"
        return Response({"results": results, "next": link(request, after)})


class PlayerView(ApiView):
    """A player."""

    access = {"GET": PUBLIC}
    tag = "Players"

    @extend_schema(summary="A player", responses=PlayerShape)
    def get(self, request: Request, player_id: int) -> Response:
        """A player of a game."""
        player = find_player(player_id)
        url = request.build_absolute_uri(player.get_absolute_url())
        return Response(player_of(player, self.caller, url))


class RatingsView(ApiView):
    """A player's ratings."""

    access = {"GET": PUBLIC}
    tag = "Players"

    @extend_schema(summary="A player's ratings", responses=RatingsShape)
    @from_one_snapshot
    def get(self, request: Request, player_id: int) -> Response:
        """The player's ratings on ranked ladders as of now, the ladder played last first."""
        shown = ratings_of_player(find_player(player_id), self.now)
        return Response({"results": [rating_of(one) for one in shown]})


class HistoryView(ApiView):
    """How a player's ratings changed."""

    access = {"GET": PUBLIC}
    query = {"GET": OfLadderBody}
    problems = {"GET": ("unknown_ladder",)}
    tag = "Players"

    @extend_schema(summary="A player's rating changes", responses=HistoryShape)
    @from_one_snapshot
    def get(self, request: Request, player_id: int) -> Response:
        """Every change of the player's ratings on ranked ladders, newest first."""
        given = self.parameters
        player = find_player(player_id)
        tracks = shown_tracks(_public_ladders_of(player, given))
        slugs = {track.pk: track.ladder.slug for track in tracks.values()}
        changes = RatingChange.objects.filter(player=player, track__in=list(slugs))
        rows, after = page_by("-pk", "h", changes.select_related("period"), given)
        results = [change_of(row, slugs[row.track_id]) for row in rows]
        return Response({"results": results, "next": link(request, after)})


class PlayerMatchesView(ApiView):
    """A player's matches."""

    access = {"GET": PUBLIC}
    query = {"GET": OfLadderBody}
    problems = {"GET": ("unknown_ladder",)}
    tag = "Players"

    @extend_schema(summary="A player's matches", responses=MatchesShape)
    @from_one_snapshot
    def get(self, request: Request, player_id: int) -> Response:
        """The player's matches that the caller may see, newest first: those on ranked ladders; on the others those of
        which the caller is a player, or a server of the game.
        """
        given = self.parameters
        player = find_player(player_id)
        visible = self.caller.visible_matches
        if "ladder" in given:
            visible = visible.filter(ladder__in=self._ladder(player, given))
        played = Participant.objects.filter(player=player, match__in=visible)
        chosen, after = keys_by("-match_id", "m", played, given)
        matches = with_people(Match.objects.filter(pk__in=chosen)).order_by("-pk")
        results = [match_of(match, self.caller) for match in matches]
        return Response({"results": results, "next": link(request, after)})

    def _ladder(self, player: Player, given: Any) -> list[Ladder]:
        """The ladder that is asked for. Who is not of the game is told of ranked ones only."""
        if self.caller.game_id != player.game_id:
            return _public_ladders_of(player, given)
        return [ladder_of(player.game, given["ladder"])]


def _packed(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def _place(given: Any) -> SearchCursor | None:
    """After which place of the results."""
    text: str = given.get("cursor", "")
    if not text:
        return None
    try:
        packed = text.removeprefix(_FOUND).encode("ascii")
        place = base64.b64decode(packed + b"=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        found = SearchCursor.parse(place.decode())
    except ValueError:  # of each of these steps
        raise wrong("cursor") from None
    if text != f"{_FOUND}{_packed(str(found))}":
        raise wrong("cursor")
    return found


def find_player(pk: int) -> Player:
    """The player with its game; refuses with `not_found`."""
    player = Player.objects.select_related("game").filter(pk=pk).first()
    if player is None:
        raise Http404
    return player


def _public_ladders_of(player: Player, given: Any) -> list[Ladder]:
    """The ranked ladders of the player's game, or the one that is asked for."""
    ladders = public_ladders().filter(game=player.game_id)
    if "ladder" not in given:
        return list(ladders)
    found = list(ladders.filter(slug=given["ladder"]))
    if not found:
        words = _("The player's game has no ranked ladder “%(ladder)s”.")
        raise ProblemError("unknown_ladder", words % {"ladder": given["ladder"]})
    return found
