"""Partners that a game supplies when nobody comes: what it is asked for, and its answers."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.people import game_served
from api.auth.scopes import Scope
from api.contract.bodies import Body, NothingBody
from api.contract.fields import TextField
from api.contract.pages import PageBody, link, page_by
from api.serializers.searching.partners import PartnerRequestShape, PartnerRequestsShape
from api.views.base import ApiView
from foundation.postgresql.transactions import from_one_snapshot
from matchmaking.models import PartnerRequest, PartnerState, TicketMember
from matchmaking.partners import answer
from ratings.models import Player
from ratings.players.new_ids import has_breaks

__all__ = ["PartnerAcceptView", "PartnerDeclineView", "PartnerRequestView", "PartnerRequestsView"]

MAY_SUPPLY = needs(Scope.MATCHES_WRITE)
LONGEST_NAME, LONGEST_NOTE = 60, 200


@extend_schema_field(
    {
        "type": "string",
        "maxLength": LONGEST_NAME,
        "pattern": r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$",
    }
)
class PartnerNameField(TextField):
    """What a partner is called: one line."""

    default_error_messages = {
        "breaks": gettext_lazy("Must have no control characters and no line breaks.")
    }

    def to_internal_value(self, data: Any) -> str:
        found: str = super().to_internal_value(data)
        if has_breaks(found):
            self.fail("breaks")
        return found


class SupplyBody(Body):
    """Who plays."""

    name = PartnerNameField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_NAME,
        help_text="What the partner is called on pages; left out: “Partner”.",
    )
    note = TextField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_NOTE,
        help_text="Shown to the players, such as how strong it plays.",
    )


class PartnerEndpoint(ApiView):
    """What these endpoints share."""

    tag = "Queues and tickets"

    @property
    def requests(self) -> QuerySet[PartnerRequest]:
        """Those to the server's game."""
        of_game = PartnerRequest.objects.filter(
            ticket__queue__ladder__game=game_served(self.caller)
        )
        return of_game.select_related("ticket__queue__ladder", "match")

    def answered(self, request_id: int) -> Response:
        """A request as it is now."""
        found = get_object_or_404(self.requests, pk=request_id)
        return Response(self.shown(PartnerRequestShape, found, **self.beside([found])))

    def beside(self, found: Sequence[PartnerRequest]) -> dict[str, Any]:
        """What their shape needs besides. One query."""
        rows = TicketMember.objects.filter(ticket__in={one.ticket_id for one in found})
        players: defaultdict[int, list[Player]] = defaultdict(list)
        for one in rows.select_related("player").order_by("pk"):
            players[one.ticket_id].append(one.player)
        return {"members": players, "now": self.now}


class PartnerRequestsView(PartnerEndpoint):
    """What waits for the game."""

    access = {"GET": MAY_SUPPLY}
    query = {"GET": PageBody}

    @extend_schema(summary="Requests for partners", responses=PartnerRequestsShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Those that wait for the game's answer, oldest first: after a restart or a lost stream. `partner.asked` tells
        of each when it is made.
        """
        asked = self.requests.filter(state=PartnerState.ASKED)
        rows, after = page_by("pk", "p", asked, self.parameters)
        page = {"results": rows, "next": link(request, after)}
        return Response(self.shown(PartnerRequestsShape, page, **self.beside(rows)))


class PartnerRequestView(PartnerEndpoint):
    """One of them."""

    access = {"GET": MAY_SUPPLY}

    @extend_schema(summary="A request for a partner", responses=PartnerRequestShape)
    def get(self, request: Request, request_id: int) -> Response:
        """A request, open or over, as events name it."""
        return self.answered(request_id)


class PartnerAcceptView(PartnerEndpoint):
    """Supplying a partner."""

    access = {"POST": MAY_SUPPLY}
    problems = {"POST": ("partner_request_over",)}

    @extend_schema(summary="Supply a partner", request=SupplyBody, responses=PartnerRequestShape)
    def post(self, request: Request, request_id: int) -> Response:
        """Begins a match that is not rated: the ticket's players are the first team, the partner is the second. `match`
        is its id; report it as any other. The first answer holds, again it gives the same. Where a match was offered
        meanwhile, or the search or the time is over, the answer is `partner_request_over`.
        """
        given = self.body(SupplyBody)
        found = get_object_or_404(self.requests, pk=request_id)
        answer.accept(request_id=found.pk, name=given.get("name", ""), note=given.get("note", ""))
        return self.answered(found.pk)


class PartnerDeclineView(PartnerEndpoint):
    """Supplying none."""

    access = {"POST": MAY_SUPPLY}
    problems = {"POST": ("partner_request_over",)}

    @extend_schema(summary="Supply no partner", request=NothingBody, responses=PartnerRequestShape)
    def post(self, request: Request, request_id: int) -> Response:
        """The search goes on as it was; the game is asked again after the queue's `partner_seconds`. The same again
        gives the same.
        """
        self.body(NothingBody)
        found = get_object_or_404(self.requests, pk=request_id)
        answer.decline(request_id=found.pk)
        return self.answered(found.pk)
