"""Appealing against sanctions and resets of names."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.acting_player import player_for
from api.auth.scopes import Scope
from api.contract.bodies import Body
from api.contract.fields import TextField, WholeField
from api.contract.pages import PageBody, page_by, page_shape
from api.serializers.moderation.reports import AppealShape
from api.views.base import ApiView
from foundation.postgresql.transactions import from_one_snapshot
from moderation.appeal import appeal_against_reset, appeal_against_sanction
from moderation.models import Appeal
from moderation.models.appeals import LONGEST_APPEAL
from moderation.refusals import NotAppealableError

__all__ = ["AppealsView"]

AppealsPageShape = page_shape("AppealsPageShape", AppealShape)


class AppealBody(Body):
    """What the appeal is against, one of the two, and why."""

    sanction = WholeField(required=False, help_text="Id of a sanction in force, from `GET /me`.")
    name_change = WholeField(required=False, help_text="Id of a reset of the player's name.")
    text = TextField(max_length=LONGEST_APPEAL, help_text="Why it was wrong.")


class AppealsView(ApiView):
    """A player's appeals."""

    access = {"GET": needs(Scope.PLAY), "POST": needs(Scope.PLAY)}
    query = {"GET": PageBody}
    problems = {"POST": ("not_appealable", "already_appealed", "wrong_report")}
    tag = "Players"

    @extend_schema(summary="The own appeals", responses=AppealsPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """What the player has appealed against, the latest first, and what came of it."""
        player = player_for(self.caller, None)
        own = Appeal.objects.filter(player=player).prefetch_related("case__decisions")
        rows, after = page_by("-pk", "p", own.order_by("-pk"), self.parameters)
        return self.page(AppealsPageShape, rows, after)

    @extend_schema(summary="Appeal", request=AppealBody, responses={201: AppealShape})
    def post(self, request: Request) -> Response:
        """Against each once. Another moderator decides than whoever imposed it, where there is one."""
        given = self.body(AppealBody)
        player = player_for(self.caller, None)
        sanction, change = given.get("sanction"), given.get("name_change")
        if (sanction is None) == (change is None):
            raise NotAppealableError
        if sanction is not None:
            appeal = appeal_against_sanction(
                player=player, sanction_id=sanction, text=given["text"]
            )
        else:
            appeal = appeal_against_reset(player=player, change_id=change, text=given["text"])
        return Response(self.shown(AppealShape, appeal), status=201)
