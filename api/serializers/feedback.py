"""What players say of playing with each other."""

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape
from matchmaking.models import FeedbackTag

__all__ = ["FeedbackShape"]


class FeedbackShape(Shape):
    """What the author said last of playing with a player."""

    player = PlayerRefShape(source="subject")
    enjoyed = serializers.BooleanField(
        allow_null=True, help_text="null: the question was skipped, and nothing was said before."
    )
    tags = serializers.ListField(child=serializers.ChoiceField(choices=FeedbackTag.choices))
    said_at = serializers.DateTimeField(source="at")
