"""What players say of playing with each other: each word for its author only."""

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.stream_rights import MAY_ACT
from api.contract.bodies import WordField
from api.contract.fields import ListOfField, TruthField
from api.contract.pages import page_by, page_shape
from api.contract.problems import ProblemError
from api.serializers.feedback import FeedbackShape
from api.views.base import ApiView
from api.views.bodies import PageOfBody, PlayerBody, WhoseBody
from foundation.postgresql.transactions import from_one_snapshot
from matchmaking.feedback.give import feedback_by, give_feedback, take_back
from matchmaking.models import FeedbackTag
from ratings.merging.meant import meant_by
from ratings.models import Player

__all__ = ["FeedbackOnView", "FeedbackView"]

FeedbackPageShape = page_shape("FeedbackPageShape", FeedbackShape)


class WordBody(PlayerBody):
    """A player's word on another."""

    enjoyed = TruthField(
        allow_null=True,
        help_text="Whether the player enjoyed it. null: the question is skipped, and an earlier word stays.",
    )
    tags = ListOfField(
        child=WordField(choices=FeedbackTag.choices),
        required=False,
        max_length=len(FeedbackTag.values),
        help_text="What else there is to say. They replace those of before.",
    )


class FeedbackView(ApiView):
    """What a player has said of others."""

    access = {"GET": MAY_ACT}
    query = {"GET": PageOfBody}
    problems = {"GET": WHO_PROBLEMS}
    tag = "Players"

    @extend_schema(summary="The own feedback", responses=FeedbackPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """What the player has said of others, the latest first. Nobody else is told, least of all whom it is about."""
        given = self.parameters
        player = player_for(self.caller, given.get("player"))
        rows, after = page_by("-pk", "f", feedback_by([player.pk]), given)
        return self.page(FeedbackPageShape, rows, after)


class FeedbackOnView(ApiView):
    """A player's word on another."""

    access = {"PUT": MAY_ACT, "DELETE": MAY_ACT}
    query = {"DELETE": WhoseBody}
    problems = {"PUT": (*WHO_PROBLEMS, "not_played_together"), "DELETE": WHO_PROBLEMS}
    tag = "Players"

    @extend_schema(
        summary="Say whether playing with somebody was enjoyed",
        request=WordBody,
        responses={200: FeedbackShape},
    )
    def put(self, request: Request, player_id: int) -> Response:
        """After a match together. The newest word counts; it may be changed and deleted at any time."""
        given = self.body(WordBody)
        player = player_for(self.caller, given.get("player"))
        other = Player.objects.filter(pk=player_id, game=player.game_id).first()
        if other is None:
            words = _("The game has no player with the id %(id)s.") % {"id": player_id}
            raise ProblemError("unknown_player", words)
        said = give_feedback(
            author=player,
            subject_id=meant_by(other).pk,
            enjoyed=given["enjoyed"],
            tags=given.get("tags", ()),
        )
        return Response(self.shown(FeedbackShape, said))

    @extend_schema(summary="Take back what was said of a player", responses={204: None})
    def delete(self, request: Request, player_id: int) -> Response:
        """Deletes it."""
        given = self.parameters
        player = player_for(self.caller, given.get("player"))
        if not take_back(author=player, subject_id=player_id):
            raise Http404
        return Response(status=204)
