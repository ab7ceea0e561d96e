"""Parties, and players whom somebody avoids."""

from typing import Any

from rest_framework import serializers

from api.auth.callers import Caller
from api.serializers.games import Answer
from api.serializers.players import PlayerRefShape, ref_of
from matchmaking.models import Avoided
from matchmaking.parties.own_party import PartySeen

__all__ = ["AvoidedShape", "PartyShape", "avoided_of", "party_shape_of"]


class PartyShape(serializers.Serializer[Any]):
    """Players who search together."""

    id = serializers.IntegerField()
    code = serializers.CharField(help_text="Whoever has it may join. Another one after a removal.")
    leader = serializers.IntegerField(help_text="Id of the member who searches for all.")
    members = PlayerRefShape(many=True, help_text="The longest member first; none once it is over.")
    largest = serializers.IntegerField(help_text="How many members it may have.")
    ticket = serializers.IntegerField(
        allow_null=True, help_text="Id of the search that runs for it."
    )
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class AvoidedShape(serializers.Serializer[Any]):
    """A player on an avoid list."""

    player = PlayerRefShape()
    added_at = serializers.DateTimeField()


def party_shape_of(party: PartySeen, caller: Caller) -> Answer:
    """A party as it is now."""
    return {
        "id": party.id,
        "code": party.code,
        "leader": party.leader_id,
        "members": [ref_of(player, caller) for player in party.members],
        "largest": party.largest,
        "ticket": party.ticket.pk if party.ticket else None,
        "created_at": party.created_at,
        "ended_at": party.ended_at,
    }


def avoided_of(row: Avoided, caller: Caller) -> Answer:
    """A row of an avoid list, read with the player who stands on it."""
    return {"player": ref_of(row.avoided, caller), "added_at": row.created_at}
