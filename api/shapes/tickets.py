"""Tickets and what is offered to them."""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from api.callers import Caller
from api.shapes.games import Answer
from api.shapes.players import PlayerRefShape, ref_of
from api.shapes.queues import EstimateShape, estimate_of
from matchmaking.models import TicketState
from matchmaking.watching import OfferSeen, Search
from ratings.models import Player

__all__ = ["OfferShape", "TicketShape", "ticket_of"]


class OfferShape(serializers.Serializer[Any]):
    """A match that is offered, and waits for answers."""

    id = serializers.IntegerField()
    expires_at = serializers.DateTimeField()
    seconds_left = serializers.FloatField()
    accepted = serializers.IntegerField(help_text="Tickets that have accepted.")
    of = serializers.IntegerField(help_text="Tickets in the offer.")
    is_accepted = serializers.BooleanField(help_text="Whether this ticket has.")


class TicketShape(serializers.Serializer[Any]):
    """One wish to play."""

    id = serializers.IntegerField()
    queue = serializers.CharField(help_text="Short name of the queue.")
    ladder = serializers.CharField(help_text="Short name of the ladder.")
    state = serializers.ChoiceField(choices=TicketState.values)
    players = PlayerRefShape(many=True)
    waiting_since = serializers.DateTimeField()
    waited = serializers.FloatField(help_text="Seconds.")
    expires_at = serializers.DateTimeField(
        allow_null=True, help_text="Without a further sign of life; null unless it waits."
    )
    estimate = EstimateShape()
    offer = OfferShape(allow_null=True)
    match = serializers.IntegerField(
        allow_null=True, help_text="Id of the match, once there is one."
    )


def ticket_of(search: Search, players: Sequence[Player], caller: Caller) -> Answer:
    """A ticket as it is now."""
    return {
        "id": search.ticket_id,
        "queue": search.queue,
        "ladder": search.ladder,
        "state": search.state.value,
        "players": [ref_of(player, caller) for player in players],
        "waiting_since": search.waiting_since,
        "waited": search.waited,
        "expires_at": search.ends_at,
        "estimate": estimate_of(search.estimate),
        "offer": _offer(search.offer) if search.offer else None,
        "match": search.match_id,
    }


def _offer(offer: OfferSeen) -> Answer:
    return {
        "id": offer.id,
        "expires_at": offer.expires_at,
        "seconds_left": offer.seconds_left,
        "accepted": offer.accepted,
        "of": offer.of,
        "is_accepted": offer.is_accepted,
    }
