"""Avoid lists: each for its owner only."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS
from api.contract.fields import WholeField
from api.contract.pages import page_shape
from api.serializers.searching.parties import AvoidedShape
from api.views.bodies import PlayerBody
from api.views.people.own_lists import ListedPlayerView, OwnListView
from foundation.postgresql.transactions import from_one_snapshot
from matchmaking.avoid_list import avoid, avoided_by, stop_avoiding

__all__ = ["AvoidedPlayerView", "AvoidedView"]

AvoidedPageShape = page_shape("AvoidedPageShape", AvoidedShape)


class AvoidBody(PlayerBody):
    """Who avoids whom."""

    avoid = WholeField(help_text="Id of the player to avoid.")


class AvoidedView(OwnListView):
    """A player's own avoid list."""

    shape, page_shape = AvoidedShape, AvoidedPageShape
    rows = staticmethod(avoided_by)
    names, cursor = "avoided", "a"
    problems = {
        "GET": WHO_PROBLEMS,
        "POST": (*WHO_PROBLEMS, "avoids_itself", "avoids_too_many"),
    }
    tag = "Players"

    @extend_schema(summary="The own avoid list", responses=AvoidedPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Whom the player avoids, the latest first. Nobody else sees it, those who stand on it least of all."""
        return self.listed()

    @extend_schema(
        summary="Avoid a player",
        request=AvoidBody,
        responses={200: AvoidedShape, 201: AvoidedShape},
    )
    def post(self, request: Request) -> Response:
        """Puts a player on the list, which holds 100. How strictly a queue goes by it is its operator's choice."""
        return self.put_on(AvoidBody, "avoid", avoid)


class AvoidedPlayerView(ListedPlayerView):
    """One player on the own list."""

    tag = "Players"

    @extend_schema(summary="Stop avoiding a player", responses={204: None})
    def delete(self, request: Request, player_id: int) -> Response:
        """Takes a player off the list."""
        return self.taken_off(stop_avoiding, player_id)
