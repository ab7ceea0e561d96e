"""Where a match stands: the short answer to whoever says something of it."""

from typing import Any

from rest_framework import serializers

from api.serializers.games import Answer
from ratings.models import Match, MatchState

__all__ = ["MatchStateShape", "state_of"]


class MatchStateShape(serializers.Serializer[Any]):
    """Where a match stands."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=MatchState.values)
    due_at = serializers.DateTimeField(
        allow_null=True, help_text="When the reports so far decide; null once it is decided."
    )
    confirmed_at = serializers.DateTimeField(allow_null=True)


def state_of(match: Match) -> Answer:
    """Where a match stands."""
    return {
        "id": match.pk,
        "state": match.state,
        "due_at": match.due_at,
        "confirmed_at": match.confirmed_at,
    }
