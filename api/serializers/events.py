"""Events as `GET /events` answers them: what a stream says, and when."""

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.words import EVENT_IDS, EVENT_KINDS

__all__ = ["EventsShape"]


class EventShape(Shape):
    """Something has happened."""

    cursor = serializers.CharField(help_text="To go on after this event.")
    at = serializers.DateTimeField(help_text="When the change of which it tells began.")
    kind = serializers.ChoiceField(
        choices=EVENT_KINDS,
        help_text="What has happened. New kinds come with new releases: pass over those that you do not know.",
    )
    topics = serializers.ListField(
        child=serializers.CharField(), help_text="By what the caller heard it."
    )
    ids = serializers.DictField(
        child=serializers.IntegerField(),
        help_text=f"Of what, by its name: {', '.join(f'`{name}`' for name in EVENT_IDS)}. Which of them there are "
        "depends on `kind`. Empty for several at once.",
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
