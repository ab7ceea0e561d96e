"""Who may write to a player, challenge it, see what it is at, and ask to be friends."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS
from api.auth.stream_rights import MAY_ACT
from api.contract.bodies import WordField
from api.serializers.people.people import ASKING, WHOM, ContactShape
from api.views.base import ApiView
from api.views.bodies import PlayerBody, WhoseBody
from api.views.people.others import whose
from people.wishes import CHOICES, choose, wishes_of

__all__ = ["ContactView"]


class ContactBody(PlayerBody):
    """What to change; what is left out stays."""

    write = WordField(choices=WHOM, required=False)
    challenge = WordField(choices=WHOM, required=False)
    see = WordField(choices=WHOM, required=False)
    ask = WordField(choices=ASKING, required=False)


class ContactView(ApiView):
    """What a player has chosen of who may turn to it."""

    access = {"GET": MAY_ACT, "PATCH": MAY_ACT}
    query = {"GET": WhoseBody}
    problems = {"GET": WHO_PROBLEMS, "PATCH": WHO_PROBLEMS}
    tag = "People"

    @extend_schema(summary="Who may turn to the player", responses=ContactShape)
    def get(self, request: Request) -> Response:
        """Who may write, challenge, see what the player is at, and ask to be friends."""
        player = whose(self.caller, self.parameters)
        return Response(self.shown(ContactShape, wishes_of(player.pk)))

    @extend_schema(
        summary="Choose who may turn to the player", request=ContactBody, responses=ContactShape
    )
    def patch(self, request: Request) -> Response:
        """Changes what is given. Blocks hold whatever is chosen."""
        given = self.body(ContactBody)
        player = whose(self.caller, given)
        chosen = {name: given[name] for name in CHOICES if name in given}
        return Response(self.shown(ContactShape, choose(player=player, chosen=chosen)))
