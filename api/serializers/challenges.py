"""Challenges."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape
from api.serializers.words import CHALLENGE_STATES
from challenges.models import Challenge, Side

__all__ = ["ChallengeShape"]


class HereShape(Shape):
    """Who of the two has said to be there."""

    challenger = serializers.BooleanField()
    challenged = serializers.BooleanField()


class ChallengeShape(Shape):
    """One player asks another for a match; an appointment is one with a time."""

    id = serializers.IntegerField(source="pk")
    game = serializers.CharField(source="ladder.game.slug", help_text="Short name of the game.")
    ladder = serializers.CharField(source="ladder.slug", help_text="Short name of the ladder.")
    challenger = PlayerRefShape()
    challenged = PlayerRefShape(
        allow_null=True, help_text="null until somebody has taken the link."
    )
    state = serializers.ChoiceField(choices=CHALLENGE_STATES)
    side = serializers.ChoiceField(
        choices=Side.values,
        help_text="Who plays the first side: `mine` the challenger, `other` the challenged.",
    )
    rated = serializers.BooleanField(help_text="false: the match changes no rating.")
    note = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(allow_null=True, help_text="Of an appointment; null: at once.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(help_text="Until then it may be accepted.")
    due_at = serializers.DateTimeField(
        allow_null=True, help_text="Until then both have to be there, once it is accepted."
    )
    here = HereShape()
    match = serializers.IntegerField(
        source="match_id", allow_null=True, help_text="Id of the match that came of it."
    )
    rematch_of = serializers.IntegerField(source="rematch_of_id", allow_null=True)
    code = serializers.CharField(
        allow_null=True, help_text="Of a link, for whoever has made it; else null."
    )
    url = serializers.URLField(
        allow_null=True, help_text="The link for people, for whoever has made it; else null."
    )

    def get_here(self, challenge: Challenge) -> dict[str, bool]:
        """Whether each of the two is."""
        return {
            "challenger": challenge.challenger_here_at is not None,
            "challenged": challenge.challenged_here_at is not None,
        }

    def get_code(self, challenge: Challenge) -> str | None:
        """Whoever has it may take it: it is for the challenger, and for servers of the game."""
        own = self._caller.player is not None and self._caller.player.pk == challenge.challenger_id
        serves = self._caller.serves(challenge.ladder.game_id)
        return challenge.code if own or serves else None

    def get_url(self, challenge: Challenge) -> str | None:
        code = self.get_code(challenge)
        if code is None:
            return None
        request: Any = self.context["view"].request
        address: str = request.build_absolute_uri(reverse("challenge-link", args=[code]))
        return address
