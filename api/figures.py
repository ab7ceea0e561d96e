"""What single players counted in a match, as a body gives it."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.people import LONGEST_ID

__all__ = ["FiguresField"]

MOST = 10_000


class CharactersField(serializers.DictField):
    """Names of characters by the players' ids in the game."""

    child = serializers.CharField(max_length=60, allow_blank=True)

    def to_internal_value(self, data: Any) -> dict[str, str]:
        """Refuse what cannot be the id of a player before anybody looks for one."""
        check_ids(data)
        found: dict[str, str] = super().to_internal_value(data)
        return found


class FiguresField(serializers.DictField):
    """Numbers by the players' ids in the game."""

    child = serializers.FloatField()

    def to_internal_value(self, data: Any) -> dict[str, float]:
        """Refuse what cannot be the id of a player before anybody looks for one."""
        check_ids(data)
        found: dict[str, float] = super().to_internal_value(data)
        return found


def check_ids(data: Any) -> None:
    """Raise ValidationError where a key cannot be the id of a player."""
    if isinstance(data, dict):
        wrong = [name for name in data if len(str(name)) > LONGEST_ID or "\0" in str(name)]
        if wrong or len(data) > MOST:
            raise serializers.ValidationError(_("Must name players by their ids in the game."))
