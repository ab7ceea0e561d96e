"""Alerts: in which queues a player is told that somebody searches."""

from rest_framework import serializers

from api.contract.shapes import Shape
from matchmaking.pairing.nearness import Nearness

__all__ = ["NEARNESS", "AlertShape", "AlertsShape"]

NEARNESS = [one.value for one in Nearness]


class AlertShape(Shape):
    """In one queue."""

    queue = serializers.CharField(source="queue.slug", help_text="Short name of the queue.")
    near = serializers.ChoiceField(
        choices=NEARNESS,
        help_text="How near the strength of whoever searches is to be.",
    )
    until = serializers.DateTimeField(allow_null=True, help_text="Null: until it is switched off.")
    told_at = serializers.DateTimeField(allow_null=True, help_text="When the player was told last.")


class AlertsShape(Shape):
    """In every queue in which they are on."""

    results = AlertShape(many=True)
