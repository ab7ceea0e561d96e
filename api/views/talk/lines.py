"""Lines of a party, of a match, or of one side of it."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.stream_rights import MAY_ACT
from api.contract.fields import IdField, TextField
from api.contract.pages import PageBody, page_by, page_shape
from api.serializers.people.talk import LineShape
from api.views.base import ApiView
from api.views.bodies import PlayerBody
from foundation.postgresql.transactions import from_one_snapshot
from talk.listen import heard
from talk.models import LONGEST_LINE
from talk.places import place_for
from talk.rules import rules_of
from talk.say import say

__all__ = ["TalkView"]

LinesShape = page_shape("LinesShape", LineShape)


class LineBody(PlayerBody):
    """Who says what."""

    text = TextField(max_length=LONGEST_LINE, help_text="Plain text.")


class PageOfLinesBody(PageBody):
    """Who reads, and which page."""

    player = IdField(
        required=False,
        help_text="Who reads, by the id in the game: for servers; a token has its own player.",
    )


class TalkView(ApiView):
    """What is said in a place."""

    access = {"GET": MAY_ACT, "POST": MAY_ACT}
    query = {"GET": PageOfLinesBody}
    problems = {
        "GET": (*WHO_PROBLEMS, "no_such_talk", "talk_off"),
        "POST": (
            *WHO_PROBLEMS,
            "no_such_talk",
            "talk_off",
            "talk_over",
            "empty_line",
            "line_too_long",
            "talks_too_fast",
            "suspended",
        ),
    }
    tag = "Talk"

    @extend_schema(summary="What was said", responses=LinesShape)
    @from_one_snapshot
    def get(self, request: Request, kind: str, place_id: int) -> Response:
        """Lines that the player hears, the latest first: `party` by its id; of a match by its id `match` for all in it,
        and `side` for the player's own side. Lines of players whom the player blocks or has muted, or who may not write
        to it (`/me/contact`), are left out.
        """
        given = self.parameters
        player = player_for(self.caller, given.get("player"))
        place = place_for(kind, place_id, player, rules_of(player), self.now)
        rows, after = page_by("-pk", "t", heard(place, player), given)
        return self.page(LinesShape, rows, after)

    @extend_schema(summary="Say something", request=LineBody, responses={201: LineShape})
    def post(self, request: Request, kind: str, place_id: int) -> Response:
        """Writes a line; everybody in the place hears `talk.said` on their streams. Signs that cannot be seen are left
        out. Needs the game's talk to be switched on by its operator.
        """
        given = self.body(LineBody)
        player = player_for(self.caller, given.get("player"))
        line = say(kind=kind, pk=place_id, player=player, text=given["text"])
        return Response(self.shown(LineShape, line), status=201)
