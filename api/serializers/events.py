"""Events as `GET /events` answers them: what a stream says, and when."""

from rest_framework import serializers

from api.contract.shapes import Shape

__all__ = ["EventsShape"]


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
        help_text="Of what: `ticket`, `offer`, `queue`, `match`, `party`, `ladder`, `game`, `player`, `into`. Empty "
        "for several at once.",
    )
    players = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Players of the ticket that was meant, if one was.",
    )


class EventsShape(Shape):
    """Events in their order."""

    results = EventShape(many=True)
    after = serializers.CharField(help_text="Send it as `after` next time.")
    is_more = serializers.BooleanField(help_text="Whether there is more already.")
