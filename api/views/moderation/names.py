"""The own name."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.acting_player import player_for
from api.auth.scopes import Scope
from api.contract.bodies import Body
from api.contract.fields import TextField
from api.serializers.moderation.reports import NameShape
from api.views.base import ApiView
from foundation.postgresql.transactions import from_one_snapshot
from moderation.rename import changes_left, rename
from ratings.models import Player

__all__ = ["NameView"]


class NameBody(Body):
    """Another name."""

    name = TextField(max_length=40)


class NameView(ApiView):
    """How the player is called."""

    access = {"GET": needs(Scope.PLAY), "PUT": needs(Scope.PLAY)}
    problems = {
        "PUT": (
            "bad_name",
            "name_taken",
            "name_held",
            "name_locked",
            "name_changes_used_up",
            "suspended",
        ),
    }
    tag = "Players"

    @extend_schema(summary="The own name", responses=NameShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """The name, and how often it may change now."""
        return Response(self.shown(NameShape, self._said(player_for(self.caller, None))))

    @extend_schema(summary="Change the own name", request=NameBody, responses=NameShape)
    def put(self, request: Request) -> Response:
        """Some times in 30 days, as the site's operator allows; the same name again changes nothing."""
        given = self.body(NameBody)
        player = rename(player=player_for(self.caller, None), name=given["name"])
        return Response(self.shown(NameShape, self._said(player)))

    def _said(self, player: Player) -> dict[str, Any]:
        left, at = changes_left(player, self.now)
        return {
            "name": player.name,
            "locked": player.name_locked,
            "changes_left": 0 if player.name_locked else max(0, left),
            "next_at": at,
        }
