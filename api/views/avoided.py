"""Avoid lists: each for its owner only."""

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.stream_rights import MAY_ACT
from api.contract.bodies import Body
from api.contract.fields import IdField, WholeField
from api.contract.pages import PageBody, page_by, page_shape
from api.contract.problems import ProblemError
from api.serializers.parties import AvoidedShape
from api.views.base import ApiView
from api.views.reports import PlayerBody
from foundation.transactions import from_one_snapshot
from matchmaking.avoid_list import avoid, avoided_by, stop_avoiding
from ratings.merging.meant import meant_by
from ratings.models import Player

__all__ = ["AvoidedPlayerView", "AvoidedView"]

AvoidedPageShape = page_shape("AvoidedPageShape", AvoidedShape)
_PLAYER = "Whose list, by the id in the game: for servers; a token has its own player's."


class AvoidBody(PlayerBody):
    """Who avoids whom."""

    avoid = WholeField(help_text="Id of the player to avoid.")


class WhoseBody(Body):
    """Whose list."""

    player = IdField(required=False, help_text=_PLAYER)


class PageOfBody(PageBody):
    """Whose list, and which page of it."""

    player = IdField(required=False, help_text=_PLAYER)


class AvoidedView(ApiView):
    """A player's own avoid list."""

    access = {"GET": MAY_ACT, "POST": MAY_ACT}
    query = {"GET": PageOfBody}
    problems = {
        "GET": WHO_PROBLEMS,
        "POST": (*WHO_PROBLEMS, "avoids_itself", "avoids_too_many"),
    }
    tag = "Players"

    @extend_schema(summary="The own avoid list", responses=AvoidedPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Whom the player avoids, the latest first. Nobody else sees it, those who stand on it least of all."""
        given = self.parameters
        player = player_for(self.caller, given.get("player"))
        rows, after = page_by("-pk", "a", avoided_by(player.pk), given)
        return self.page(AvoidedPageShape, rows, after)

    @extend_schema(
        summary="Avoid a player",
        request=AvoidBody,
        responses={200: AvoidedShape, 201: AvoidedShape},
    )
    def post(self, request: Request) -> Response:
        """Puts a player on the list, which holds 100. How strictly a queue goes by it is its operator's choice."""
        given = self.body(AvoidBody)
        player = player_for(self.caller, given.get("player"))
        other = Player.objects.filter(pk=given["avoid"], game=player.game_id).first()
        if other is None:
            words = _("The game has no player with the id %(id)s.") % {"id": given["avoid"]}
            raise ProblemError("unknown_player", words)
        other = meant_by(other)
        is_new = avoid(player=player, other=other)
        row = avoided_by(player.pk).get(avoided=other)
        return Response(self.shown(AvoidedShape, row), status=201 if is_new else 200)


class AvoidedPlayerView(ApiView):
    """One player on the own list."""

    access = {"DELETE": MAY_ACT}
    query = {"DELETE": WhoseBody}
    problems = {"DELETE": WHO_PROBLEMS}
    tag = "Players"

    @extend_schema(summary="Stop avoiding a player", responses={204: None})
    def delete(self, request: Request, player_id: int) -> Response:
        """Takes a player off the list."""
        given = self.parameters
        player = player_for(self.caller, given.get("player"))
        if not stop_avoiding(player=player, other_id=player_id):
            raise Http404
        return Response(status=204)
