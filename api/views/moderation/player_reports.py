"""Reporting players."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.scopes import Scope
from api.auth.stream_rights import MAY_ACT
from api.contract.bodies import WordField
from api.contract.fields import TextField, WholeField
from api.contract.pages import PageBody, page_by, page_shape
from api.contract.problems import ProblemError
from api.serializers.moderation.reports import PlayerReportShape
from api.views.base import ApiView
from api.views.bodies import PlayerBody
from foundation.postgresql.transactions import from_one_snapshot
from moderation.models import PlayerReport, ReportKind
from moderation.models.reports import LONGEST_REPORT
from moderation.report import report_player
from ratings.models import Player

__all__ = ["PlayerReportsView"]

PlayerReportsPageShape = page_shape("PlayerReportsPageShape", PlayerReportShape)


class PlayerReportBody(PlayerBody):
    """Who is reported, and what for."""

    reported = WholeField(help_text="Id of the player.")
    kind = WordField(
        choices=ReportKind.choices, help_text="`left`, `bad_manners` and `cheating` name a match."
    )
    match = WholeField(required=False, help_text="A match in which both took part.")
    text = TextField(required=False, allow_blank=True, max_length=LONGEST_REPORT)


class PlayerReportsView(ApiView):
    """Reports by a player."""

    access = {"GET": needs(Scope.PLAY), "POST": MAY_ACT}
    query = {"GET": PageBody}
    problems = {
        "POST": (
            *WHO_PROBLEMS,
            "wrong_report",
            "reports_itself",
            "not_in_match_together",
            "report_open",
            "too_many_reports",
        ),
    }
    tag = "Players"

    @extend_schema(summary="The own reports", responses=PlayerReportsPageShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Whom the player has reported, the latest first. For the player's own token alone."""
        player = player_for(self.caller, None)
        own = PlayerReport.objects.filter(reporter=player).select_related("reported")
        rows, after = page_by("-pk", "r", own.order_by("-pk"), self.parameters)
        return self.page(PlayerReportsPageShape, rows, after)

    @extend_schema(
        summary="Report a player", request=PlayerReportBody, responses={201: PlayerReportShape}
    )
    def post(self, request: Request) -> Response:
        """A moderator looks at it. The reported player learns neither that it happened nor who it was; lines of talk
        around then are added by the site. One report of a player is open at a time for a match, and one without.
        """
        given = self.body(PlayerReportBody)
        player = player_for(self.caller, given.get("player"))
        other = Player.objects.filter(pk=given["reported"], game=player.game_id).first()
        if other is None:
            words = _("The game has no player with the id %(id)s.") % {"id": given["reported"]}
            raise ProblemError("unknown_player", words)
        report = report_player(
            reporter=player,
            reported=other,
            kind=ReportKind(given["kind"]),
            text=given.get("text", ""),
            match_id=given.get("match"),
        )
        return Response(self.shown(PlayerReportShape, report), status=201)
