"""Blocks: each list is for its owner only."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS
from api.contract.fields import WholeField
from api.contract.pages import page_shape
from api.serializers.people.people import BlockedShape
from api.views.bodies import PlayerBody
from api.views.people.others import TIE_PROBLEMS
from api.views.people.own_lists import ListedPlayerView, OwnListView
from foundation.postgresql.transactions import from_one_snapshot
from people.blocks import block, blocked_by, unblock

__all__ = ["BlockedPlayerView", "BlockedView"]

BlockedPageShape = page_shape("BlockedPageShape", BlockedShape)


class BlockBody(PlayerBody):
    """Who blocks whom."""

    block = WholeField(help_text="Id of the player to block.")


class BlockedView(OwnListView):
    """Those whom a player blocks."""

    shape, page_shape = BlockedShape, BlockedPageShape
    rows = staticmethod(blocked_by)
    names, cursor = "blocked", "b"
    problems = {"GET": WHO_PROBLEMS, "POST": (*WHO_PROBLEMS, *TIE_PROBLEMS)}
    tag = "People"

    @extend_schema(summary="Whom the player blocks", responses=BlockedPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """The latest first. Nobody else sees the list, those who stand on it least of all."""
        return self.listed()

    @extend_schema(
        summary="Block a player",
        request=BlockBody,
        responses={200: BlockedShape, 201: BlockedShape},
    )
    def post(self, request: Request) -> Response:
        """Ends friendship and following both ways. Neither may write to, challenge, follow or see the other,
        who is not told.
        """
        return self.put_on(BlockBody, "block", block)


class BlockedPlayerView(ListedPlayerView):
    """One blocked player."""

    tag = "People"

    @extend_schema(summary="Take a block back", responses={204: None})
    def delete(self, request: Request, player_id: int) -> Response:
        """Takes a player off the list. What the block has ended stays ended."""
        return self.taken_off(unblock, player_id)
