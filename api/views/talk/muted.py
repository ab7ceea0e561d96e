"""Muted players: each list for its owner only."""

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.stream_rights import MAY_ACT
from api.contract.fields import WholeField
from api.contract.pages import page_by, page_shape
from api.contract.problems import ProblemError
from api.serializers.talk import MutedShape
from api.views.avoided import PageOfBody, WhoseBody
from api.views.base import ApiView
from api.views.reports import PlayerBody
from foundation.transactions import from_one_snapshot
from ratings.merging.meant import meant_by
from ratings.models import Player
from talk.mutes import mute, muted_by, unmute

__all__ = ["MutedPlayerView", "MutedView"]

MutedPageShape = page_shape("MutedPageShape", MutedShape)


class MuteBody(PlayerBody):
    """Who mutes whom."""

    mute = WholeField(help_text="Id of the player to mute.")


class MutedView(ApiView):
    """Whom a player has muted."""

    access = {"GET": MAY_ACT, "POST": MAY_ACT}
    query = {"GET": PageOfBody}
    problems = {"GET": WHO_PROBLEMS, "POST": (*WHO_PROBLEMS, "mutes_itself", "mutes_too_many")}
    tag = "Talk"

    @extend_schema(summary="Muted players", responses=MutedPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Whose lines the player does not read, the latest first. Nobody else sees it."""
        given = self.parameters
        player = player_for(self.caller, given.get("player"))
        rows, after = page_by("-pk", "m", muted_by(player.pk), given)
        return self.page(MutedPageShape, rows, after)

    @extend_schema(
        summary="Mute a player",
        request=MuteBody,
        responses={200: MutedShape, 201: MutedShape},
    )
    def post(self, request: Request) -> Response:
        """Leaves out what that player writes, from now on and what was written before."""
        given = self.body(MuteBody)
        player = player_for(self.caller, given.get("player"))
        other = Player.objects.filter(pk=given["mute"], game=player.game_id).first()
        if other is None:
            words = _("The game has no player with the id %(id)s.") % {"id": given["mute"]}
            raise ProblemError("unknown_player", words)
        other = meant_by(other)
        is_new = mute(player=player, other=other)
        row = muted_by(player.pk).get(muted=other)
        return Response(self.shown(MutedShape, row), status=201 if is_new else 200)


class MutedPlayerView(ApiView):
    """One muted player."""

    access = {"DELETE": MAY_ACT}
    query = {"DELETE": WhoseBody}
    problems = {"DELETE": WHO_PROBLEMS}
    tag = "Talk"

    @extend_schema(summary="Unmute a player", responses={204: None})
    def delete(self, request: Request, player_id: int) -> Response:
        """Shows again what that player writes and has written."""
        given = self.parameters
        player = player_for(self.caller, given.get("player"))
        if not unmute(player=player, other_id=player_id):
            raise Http404
        return Response(status=204)
