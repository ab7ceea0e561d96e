"""What is told of single players in a match, as a body gives it: by their ids in the game."""

from typing import Any

from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field

from api.auth.people import is_external_id
from api.contract.fields import HIGHEST_NUMBER, PRINTABLE, NumberField, ObjectField, TextField

__all__ = [
    "LONGEST_CHARACTER",
    "MOST",
    "ByPlayerField",
    "CharactersField",
    "MinutesField",
    "PlayerScoresField",
]

MOST = 10_000
LONGEST_CHARACTER = 60


@extend_schema_field({"type": "string", "maxLength": LONGEST_CHARACTER, "pattern": PRINTABLE})
class CharacterField(TextField):
    """The name of a character; empty for none."""

    default_error_messages = {"invisible": gettext_lazy("Must consist of printable characters.")}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=LONGEST_CHARACTER, allow_blank=True, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        found: str = super().to_internal_value(data)
        if not found.isprintable():
            self.fail("invisible")
        return found


class ByPlayerField(ObjectField):
    """Something of each player, by the ids in the game."""

    default_error_messages = {
        "ids": gettext_lazy("Must name players by their ids in the game, 1 to 100 characters."),
    }

    def to_internal_value(self, data: Any) -> Any:
        """Refuse what cannot be the id of a player before anybody looks for one."""
        if isinstance(data, dict) and (
            len(data) > MOST or not all(is_external_id(str(name)) for name in data)
        ):
            self.fail("ids")
        return super().to_internal_value(data)


@extend_schema_field({"type": "number", "minimum": 0, "maximum": HIGHEST_NUMBER})
class DurationField(NumberField):
    """A number that is not negative."""


class CharactersField(ByPlayerField):
    """Names of characters."""

    child = CharacterField()


class PlayerScoresField(ByPlayerField):
    """Scores of single players."""

    child = NumberField()


class MinutesField(ByPlayerField):
    """Minutes."""

    child = DurationField(min_value=0)
