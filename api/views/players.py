"""Players, their ratings, their history and their matches."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.contract.fields import ShortNameField, TextField
from api.contract.pages import (
    CursorField,
    PageBody,
    keys_by,
    pack,
    page_by,
    page_shape,
    unpack,
    wrong,
)
from api.contract.problems import ProblemError
from api.serializers.matches import MatchesShape
from api.serializers.players import PlayerShape
from api.serializers.ratings import ChangeShape, RatingsShape
from api.views.base import ApiView
from api.views.matches.arranged_matches import ladder_of
from foundation.postgresql.transactions import from_one_snapshot
from leaderboards.players.profile import ratings_of_player
from leaderboards.players.search import SearchCursor, find_players
from leaderboards.visibility import public_ladders, shown_tracks
from ratings.archiving import ArchivedError
from ratings.matches.summary import with_people
from ratings.models import Ladder, Match, Mode, Participant, Player, RatingChange

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
        begin, cursor = None, given.get("cursor", "")
        if cursor:
            try:
                begin = SearchCursor.parse(unpack(cursor.removeprefix(_FOUND)).decode())
            except ValueError:  # of each of these steps
                raise wrong("cursor") from None
            if cursor != f"{_FOUND}{pack(str(begin).encode())}":
                raise wrong("cursor")
        found = find_players(
            given["search"],
            after=begin,
            size=given["limit"],
            game=given.get("game"),
            ratings=False,
        )
        after = None if found.next is None else f"{_FOUND}{pack(str(found.next).encode())}"
        return self.page(PlayersShape, found.players, after)


class PlayerView(ApiView):
    """A player."""

    access = {"GET": PUBLIC}
    problems = {"GET": ("archived", "player_merged")}
    tag = "Players"

    @extend_schema(summary="A player", responses=PlayerShape)
    def get(self, request: Request, player_id: int) -> Response:
        """A player of a game."""
        return Response(self.shown(PlayerShape, find_player(player_id, request)))


class RatingsView(ApiView):
    """A player's ratings."""

    access = {"GET": PUBLIC}
    problems = {"GET": ("archived", "player_merged")}
    tag = "Players"

    @extend_schema(summary="A player's ratings", responses=RatingsShape)
    @from_one_snapshot
    def get(self, request: Request, player_id: int) -> Response:
        """The player's ratings on ranked ladders as of now, the ladder played last first."""
        shown = ratings_of_player(find_player(player_id, request), self.now)
        return Response(self.shown(RatingsShape, {"results": shown}))


class HistoryView(ApiView):
    """How a player's ratings changed."""

    access = {"GET": PUBLIC}
    query = {"GET": OfLadderBody}
    problems = {"GET": ("archived", "player_merged", "unknown_ladder")}
    tag = "Players"

    @extend_schema(summary="A player's rating changes", responses=HistoryShape)
    @from_one_snapshot
    def get(self, request: Request, player_id: int) -> Response:
        """Every change of the player's ratings on ranked ladders, newest first."""
        given = self.parameters
        player = find_player(player_id, request)
        tracks = {it.pk: it for it in shown_tracks(_public_ladders_of(player, given)).values()}
        changes = RatingChange.objects.filter(player=player, track__in=list(tracks))
        rows, after = page_by("-pk", "h", changes.select_related("period"), given)
        for row in rows:
            row.track = tracks[row.track_id]
        return self.page(HistoryShape, rows, after)


class PlayerMatchesView(ApiView):
    """A player's matches."""

    access = {"GET": PUBLIC}
    query = {"GET": OfLadderBody}
    problems = {"GET": ("archived", "player_merged", "unknown_ladder")}
    tag = "Players"

    @extend_schema(summary="A player's matches", responses=MatchesShape)
    @from_one_snapshot
    def get(self, request: Request, player_id: int) -> Response:
        """The player's matches that the caller may see, newest first: those on ranked ladders; on the others those of
        which the caller is a player, or a server of the game.
        """
        given = self.parameters
        player = find_player(player_id, request)
        visible = self.caller.visible_matches
        if "ladder" in given:
            # Who is not of the game is told of ranked ladders only.
            is_own = self.caller.game_id == player.game_id
            visible = visible.filter(
                ladder__in=[ladder_of(player.game, given["ladder"])]
                if is_own
                else _public_ladders_of(player, given)
            )
        played = Participant.objects.filter(player=player, match__in=visible)
        chosen, after = keys_by("-match_id", "m", played, given)
        matches = with_people(Match.objects.filter(pk__in=chosen)).order_by("-pk")
        return self.page(MatchesShape, matches, after)


def find_player(pk: int, request: Request) -> Player:
    """The player with its game; refuses with `not_found`, and leads to another with `player_merged`."""
    player = get_object_or_404(Player.objects.in_use().select_related("game"), pk=pk)
    if (other := player.merged_into_id) is None:
        return player
    match = request.resolver_match
    path = reverse(match.view_name if match else "api:player", args=[other])
    asked = request.query_params.urlencode()
    words = _("The player is merged into player %(other)d.") % {"other": other}
    raise ProblemError(
        "player_merged",
        words,
        headers={"Location": f"{path}?{asked}" if asked else path},
        merged_into=other,
    )


def _public_ladders_of(player: Player, given: Any) -> list[Ladder]:
    """The ranked ladders of the player's game, or the one that is asked for.

    Refuses with `unknown_ladder`, or ArchivedError.
    """
    ladders = public_ladders().filter(game=player.game_id)
    if "ladder" not in given:
        return list(ladders)
    found = list(ladders.filter(slug=given["ladder"]))
    if not found:
        ranked = Ladder.objects.filter(game=player.game_id, mode=Mode.RANKED)
        if gone := ranked.filter(slug=given["ladder"], archived_at__isnull=False).first():
            raise ArchivedError(gone)
        words = _("The player's game has no ranked ladder “%(ladder)s”.")
        raise ProblemError("unknown_ladder", words % {"ladder": given["ladder"]})
    return found
