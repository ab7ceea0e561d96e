"""Whom somebody follows."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS
from api.auth.stream_rights import MAY_ACT
from api.contract.fields import WholeField
from api.contract.pages import page_by, page_shape
from api.serializers.people import FollowedShape
from api.views.base import ApiView
from api.views.people.others import TIE_PROBLEMS, PageOfBody, WhoseBody, other_of, whose
from api.views.reports import PlayerBody
from foundation.transactions import from_one_snapshot
from people.befriend import follow, unfollow
from people.ties import followed_by

__all__ = ["FollowedPlayerView", "FollowingView"]

FollowedPageShape = page_shape("FollowedPageShape", FollowedShape)


class FollowBody(PlayerBody):
    """Who follows whom."""

    follow = WholeField(help_text="Id of the player to follow.")


class FollowingView(ApiView):
    """Those whom a player follows."""

    access = {"GET": MAY_ACT, "POST": MAY_ACT}
    query = {"GET": PageOfBody}
    problems = {"GET": WHO_PROBLEMS, "POST": (*WHO_PROBLEMS, *TIE_PROBLEMS)}
    tag = "People"

    @extend_schema(summary="Whom the player follows", responses=FollowedPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """The latest first. Nobody else sees the list."""
        player = whose(self.caller, self.parameters)
        rows, after = page_by("-pk", "w", followed_by(player.pk), self.parameters)
        return self.page(FollowedPageShape, rows, after)

    @extend_schema(
        summary="Follow a player",
        request=FollowBody,
        responses={200: FollowedShape, 201: FollowedShape},
    )
    def post(self, request: Request) -> Response:
        """Puts a player on the list, which holds 500. It shows nothing that is for friends."""
        given = self.body(FollowBody)
        player = whose(self.caller, given)
        other = other_of(player, given["follow"])
        is_new = follow(player=player, other=other)
        row = followed_by(player.pk).get(followed=other)
        return Response(self.shown(FollowedShape, row), status=201 if is_new else 200)


class FollowedPlayerView(ApiView):
    """One player whom somebody follows."""

    access = {"DELETE": MAY_ACT}
    query = {"DELETE": WhoseBody}
    problems = {"DELETE": WHO_PROBLEMS}
    tag = "People"

    @extend_schema(summary="Follow a player no longer", responses={204: None})
    def delete(self, request: Request, player_id: int) -> Response:
        """Takes a player off the list."""
        player = whose(self.caller, self.parameters)
        if not unfollow(player=player, other_id=player_id):
            raise Http404
        return Response(status=204)
