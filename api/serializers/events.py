"""Events as `GET /events` answers them: what a stream says, and when."""

from datetime import datetime

from rest_framework import serializers

from api.contract.shapes import Shape
from events.live import Message

__all__ = ["EventsShape"]

Kept = tuple[datetime, Message]


class EventShape(Shape):
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

    def get_cursor(self, kept: Kept) -> str:
        return str(kept[1].offset)

    def get_at(self, kept: Kept) -> datetime:
        return kept[0]

    def get_kind(self, kept: Kept) -> str:
        return kept[1].kind

    def get_topics(self, kept: Kept) -> list[str]:
        """Those of the caller; of the others nothing is said."""
        return sorted(self.context["topics"] & set(kept[1].topics))

    def get_ids(self, kept: Kept) -> dict[str, int]:
        return kept[1].ids

    def get_players(self, kept: Kept) -> list[int]:
        return list(kept[1].players)


class EventsShape(Shape):
    """Events in their order."""

    results = EventShape(many=True)
    after = serializers.CharField(help_text="Send it as `after` next time.")
    is_more = serializers.BooleanField(help_text="Whether there is more already.")
