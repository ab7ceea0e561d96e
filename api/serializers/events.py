"""Events as `GET /events` tells them: what the stream says, and when."""

from collections.abc import Set
from datetime import datetime
from typing import Any

from rest_framework import serializers

from api.serializers.games import Answer
from events.live import Message

__all__ = ["EventShape", "EventsShape", "event_answer"]


class EventShape(serializers.Serializer[Any]):
    """Something has happened."""

    cursor = serializers.CharField(help_text="To go on after this event.")
    at = serializers.DateTimeField(help_text="When the change of which it tells began.")
    kind = serializers.CharField(help_text="Such as `match.confirmed`.")
    topics = serializers.ListField(
        child=serializers.CharField(), help_text="By what the caller heard it."
    )
    ids = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Of what: `ticket`, `offer`, `queue`, `match`, `party`, `ladder`. Empty for several at once.",
    )
    players = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Players of the ticket that was meant, if one was.",
    )


class EventsShape(serializers.Serializer[Any]):
    """Events in their order."""

    results = EventShape(many=True)
    after = serializers.CharField(help_text="Send it as `after` next time.")
    is_more = serializers.BooleanField(help_text="Whether there is more already.")


def event_answer(at: datetime, message: Message, topics: Set[str]) -> Answer:
    """A message as it is told to whoever listens to these topics."""
    return {
        "cursor": str(message.place),
        "at": at,
        "kind": message.kind,
        "topics": sorted(topics & set(message.topics)),
        "ids": message.ids,
        "players": list(message.players),
    }
