"""Friends and requests to be friends."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS
from api.auth.stream_rights import MAY_ACT
from api.contract.fields import WholeField
from api.contract.pages import page_by, page_shape
from api.serializers.people.people import FriendShape
from api.views.base import ApiView
from api.views.bodies import PageOfBody, PlayerBody, WhoseBody
from api.views.people.others import TIE_PROBLEMS, other_of, whose
from foundation.postgresql.transactions import from_one_snapshot
from people.befriend import befriend, part
from people.ties import as_seen_by, rows_of

__all__ = ["FriendView", "FriendsView"]

FriendPageShape = page_shape("FriendPageShape", FriendShape)


class FriendBody(PlayerBody):
    """Who wants to be whose friend."""

    friend = WholeField(help_text="Id of the player to be friends with.")


class FriendsView(ApiView):
    """A player's own friends and requests."""

    access = {"GET": MAY_ACT, "POST": MAY_ACT}
    query = {"GET": PageOfBody}
    problems = {"GET": WHO_PROBLEMS, "POST": (*WHO_PROBLEMS, *TIE_PROBLEMS)}
    tag = "People"

    @extend_schema(summary="The own friends and requests", responses=FriendPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Friends, whom the player has asked, and who asks the player; the latest first."""
        player = whose(self.caller, self.parameters)
        rows, after = page_by("-pk", "f", rows_of(player.pk), self.parameters)
        return self.page(FriendPageShape, [as_seen_by(player.pk, row) for row in rows], after)

    @extend_schema(
        summary="Ask a player to be friends, or agree", request=FriendBody, responses=FriendShape
    )
    def post(self, request: Request) -> Response:
        """Asks the other player; where that one has asked before, both are friends now."""
        given = self.body(FriendBody)
        player = whose(self.caller, given)
        row = befriend(player=player, other=other_of(player, given["friend"]))
        row = rows_of(player.pk).get(pk=row.pk)
        return Response(self.shown(FriendShape, as_seen_by(player.pk, row)))


class FriendView(ApiView):
    """One friend, or one request."""

    access = {"DELETE": MAY_ACT}
    query = {"DELETE": WhoseBody}
    problems = {"DELETE": WHO_PROBLEMS}
    tag = "People"

    @extend_schema(summary="End a friendship or a request", responses={204: None})
    def delete(self, request: Request, player_id: int) -> Response:
        """Ends a friendship, withdraws a request, or turns one down."""
        player = whose(self.caller, self.parameters)
        if not part(player=player, other_id=player_id):
            raise Http404
        return Response(status=204)
