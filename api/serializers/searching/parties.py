"""Parties, and players whom somebody avoids."""

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape

__all__ = ["AvoidedShape", "PartyShape"]


class PartyShape(Shape):
    """Players who search together."""

    id = serializers.IntegerField()
    code = serializers.CharField(help_text="Whoever has it may join. Another one after a removal.")
    leader = serializers.IntegerField(
        source="leader_id", help_text="Id of the member who searches for all."
    )
    members = PlayerRefShape(many=True, help_text="The longest member first; none once it is over.")
    largest = serializers.IntegerField(help_text="How many members it may have.")
    ticket = serializers.IntegerField(
        source="ticket.pk", allow_null=True, help_text="Id of the search that runs for it."
    )
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class AvoidedShape(Shape):
    """A player on an avoid list."""

    player = PlayerRefShape(source="avoided")
    added_at = serializers.DateTimeField(source="created_at")
