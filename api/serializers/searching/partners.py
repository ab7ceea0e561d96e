"""Requests to a game for partners."""

from collections.abc import Mapping
from datetime import timedelta

from rest_framework import serializers

from api.contract.pages import page_shape
from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape
from matchmaking.models import PartnerRequest, PartnerState
from ratings.models import Player

__all__ = ["PartnerRequestShape", "PartnerRequestsShape"]


class PartnerRequestShape(Shape):
    """A request for a partner for a search."""

    id = serializers.IntegerField(source="pk")
    state = serializers.ChoiceField(choices=PartnerState.values)
    ticket = serializers.IntegerField(source="ticket_id", help_text="Id of the search.")
    queue = serializers.CharField(source="ticket.queue.slug", help_text="Short name of the queue.")
    ladder = serializers.CharField(
        source="ticket.queue.ladder.slug", help_text="Short name of the ladder."
    )
    players = PlayerRefShape(
        many=True, help_text="One whole team: the partner is the other, of as many."
    )
    asked_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(help_text="Until when it may be answered.")
    seconds_left = serializers.FloatField(help_text="Until then; 0 once it is over.")
    match = serializers.IntegerField(
        source="match_id", allow_null=True, help_text="Id of the match, once it is accepted."
    )
    name = serializers.CharField(help_text="What the partner is called; empty before the match.")
    note = serializers.CharField(help_text="What the players are told of the partner.")

    def get_name(self, request: PartnerRequest) -> str:
        return "" if request.match is None else request.match.partner

    def get_note(self, request: PartnerRequest) -> str:
        note: str = request.match.extra.get("note", "") if request.match is not None else ""
        return note

    def get_players(self, request: PartnerRequest) -> list[Player]:
        members: Mapping[int, list[Player]] = self.context["members"]
        return members[request.ticket_id]

    def get_seconds_left(self, request: PartnerRequest) -> float:
        if request.state != PartnerState.ASKED:
            return 0.0
        left: timedelta = request.expires_at - self.context["now"]
        return max(left.total_seconds(), 0.0)


PartnerRequestsShape = page_shape("PartnerRequestsShape", PartnerRequestShape)
