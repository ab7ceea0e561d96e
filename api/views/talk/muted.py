"""Muted players: each list for its owner only."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS
from api.contract.fields import WholeField
from api.contract.pages import page_shape
from api.serializers.people.talk import MutedShape
from api.views.bodies import PlayerBody
from api.views.people.own_lists import ListedPlayerView, OwnListView
from foundation.postgresql.transactions import from_one_snapshot
from talk.mutes import mute, muted_by, unmute

__all__ = ["MutedPlayerView", "MutedView"]

MutedPageShape = page_shape("MutedPageShape", MutedShape)


class MuteBody(PlayerBody):
    """Who mutes whom."""

    mute = WholeField(help_text="Id of the player to mute.")


class MutedView(OwnListView):
    """Whom a player has muted."""

    shape, page_shape = MutedShape, MutedPageShape
    rows = staticmethod(muted_by)
    names, cursor = "muted", "m"
    problems = {"GET": WHO_PROBLEMS, "POST": (*WHO_PROBLEMS, "mutes_itself", "mutes_too_many")}
    tag = "Talk"

    @extend_schema(summary="Muted players", responses=MutedPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Whose lines the player does not read, the latest first. Nobody else sees it."""
        return self.listed()

    @extend_schema(
        summary="Mute a player",
        request=MuteBody,
        responses={200: MutedShape, 201: MutedShape},
    )
    def post(self, request: Request) -> Response:
        """Leaves out what that player writes, from now on and what was written before."""
        return self.put_on(MuteBody, "mute", mute)


class MutedPlayerView(ListedPlayerView):
    """One muted player."""

    tag = "Talk"

    @extend_schema(summary="Unmute a player", responses={204: None})
    def delete(self, request: Request, player_id: int) -> Response:
        """Shows again what that player writes and has written."""
        return self.taken_off(unmute, player_id)
