"""Whom somebody follows."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS
from api.contract.fields import WholeField
from api.contract.pages import page_shape
from api.serializers.people.people import FollowedShape
from api.views.bodies import PlayerBody
from api.views.people.others import TIE_PROBLEMS
from api.views.people.own_lists import ListedPlayerView, OwnListView
from foundation.postgresql.transactions import from_one_snapshot
from people.befriend import follow, unfollow
from people.ties import followed_by

__all__ = ["FollowedPlayerView", "FollowingView"]

FollowedPageShape = page_shape("FollowedPageShape", FollowedShape)


class FollowBody(PlayerBody):
    """Who follows whom."""

    follow = WholeField(help_text="Id of the player to follow.")


class FollowingView(OwnListView):
    """Those whom a player follows."""

    shape, page_shape = FollowedShape, FollowedPageShape
    rows = staticmethod(followed_by)
    names, cursor = "followed", "w"
    problems = {"GET": WHO_PROBLEMS, "POST": (*WHO_PROBLEMS, *TIE_PROBLEMS)}
    tag = "People"

    @extend_schema(summary="Whom the player follows", responses=FollowedPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """The latest first. Nobody else sees the list."""
        return self.listed()

    @extend_schema(
        summary="Follow a player",
        request=FollowBody,
        responses={200: FollowedShape, 201: FollowedShape},
    )
    def post(self, request: Request) -> Response:
        """Puts a player on the list, which holds 500. It shows nothing that is for friends."""
        return self.put_on(FollowBody, "follow", follow)


class FollowedPlayerView(ListedPlayerView):
    """One player whom somebody follows."""

    tag = "People"

    @extend_schema(summary="Follow a player no longer", responses={204: None})
    def delete(self, request: Request, player_id: int) -> Response:
        """Takes a player off the list."""
        return self.taken_off(unfollow, player_id)
