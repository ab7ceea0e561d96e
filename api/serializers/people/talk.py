"""What is said, and whom somebody has muted."""

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape

__all__ = ["LineShape", "MutedShape"]


class LineShape(Shape):
    """A line that a player wrote."""

    id = serializers.IntegerField(source="pk")
    author = PlayerRefShape()
    text = serializers.CharField(
        help_text="Plain text in one line; show it as text, whatever it looks like."
    )
    said_at = serializers.DateTimeField()


class MutedShape(Shape):
    """A muted player."""

    player = PlayerRefShape(source="muted")
    added_at = serializers.DateTimeField(source="created_at")
