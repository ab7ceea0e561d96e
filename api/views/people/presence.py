"""What friends, and those somebody follows, are at now."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS
from api.auth.stream_rights import MAY_ACT
from api.serializers.people.people import PresenceShape
from api.views.base import ApiView
from api.views.bodies import WhoseBody
from api.views.people.others import whose
from foundation.postgresql.transactions import from_one_snapshot
from people.presence import present_friends

__all__ = ["PresenceView"]


class PresenceView(ApiView):
    """Presence of friends and followed players."""

    access = {"GET": MAY_ACT}
    query = {"GET": WhoseBody}
    problems = {"GET": WHO_PROBLEMS}
    tag = "People"

    @extend_schema(summary="What friends are at", responses=PresenceShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Who of the friends, and of those the player follows, searches, plays or is in a room; only who shows it."""
        player = whose(self.caller, self.parameters)
        return Response(self.shown(PresenceShape, {"results": present_friends(player.pk)}))
