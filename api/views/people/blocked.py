"""Blocks: each list is for its owner only."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS
from api.auth.stream_rights import MAY_ACT
from api.contract.fields import WholeField
from api.contract.pages import page_by, page_shape
from api.serializers.people import BlockedShape
from api.views.base import ApiView
from api.views.people.others import TIE_PROBLEMS, PageOfBody, WhoseBody, other_of, whose
from api.views.reports import PlayerBody
from foundation.transactions import from_one_snapshot
from people.blocks import block, blocked_by, unblock

__all__ = ["BlockedPlayerView", "BlockedView"]

BlockedPageShape = page_shape("BlockedPageShape", BlockedShape)


class BlockBody(PlayerBody):
    """Who blocks whom."""

    block = WholeField(help_text="Id of the player to block.")


class BlockedView(ApiView):
    """Those whom a player blocks."""

    access = {"GET": MAY_ACT, "POST": MAY_ACT}
    query = {"GET": PageOfBody}
    problems = {"GET": WHO_PROBLEMS, "POST": (*WHO_PROBLEMS, *TIE_PROBLEMS)}
    tag = "People"

    @extend_schema(summary="Whom the player blocks", responses=BlockedPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """The latest first. Nobody else sees the list, those who stand on it least of all."""
        player = whose(self.caller, self.parameters)
        rows, after = page_by("-pk", "b", blocked_by(player.pk), self.parameters)
        return self.page(BlockedPageShape, rows, after)

    @extend_schema(
        summary="Block a player",
        request=BlockBody,
        responses={200: BlockedShape, 201: BlockedShape},
    )
    def post(self, request: Request) -> Response:
        """Ends friendship and following both ways. Neither may write to, challenge, follow or see the other,
        who is not told.
        """
        given = self.body(BlockBody)
        player = whose(self.caller, given)
        other = other_of(player, given["block"])
        is_new = block(player=player, other=other)
        row = blocked_by(player.pk).get(blocked=other)
        return Response(self.shown(BlockedShape, row), status=201 if is_new else 200)


class BlockedPlayerView(ApiView):
    """One blocked player."""

    access = {"DELETE": MAY_ACT}
    query = {"DELETE": WhoseBody}
    problems = {"DELETE": WHO_PROBLEMS}
    tag = "People"

    @extend_schema(summary="Take a block back", responses={204: None})
    def delete(self, request: Request, player_id: int) -> Response:
        """Takes a player off the list. What the block has ended stays ended."""
        player = whose(self.caller, self.parameters)
        if not unblock(player=player, other_id=player_id):
            raise Http404
        return Response(status=204)
