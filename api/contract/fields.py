"""Fields of bodies, strict about types: `"1"` is no number, `0` no text and `"yes"` not true. JSON says which is which.

Parameters of the address are texts; they are read by the fields of the REST framework.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from foundation.names import isolate
from foundation.requests.ids import HIGHEST_ID

__all__ = [
    "LONGEST_TEXT",
    "PRINTABLE",
    "IdField",
    "ListOfField",
    "MomentField",
    "NumberField",
    "ObjectField",
    "ShortNameField",
    "TextField",
    "TruthField",
    "TruthParameter",
    "WholeField",
    "ZoneField",
    "with_fields",
]

S = TypeVar("S", bound=serializers.Serializer[Any])

LONGEST_TEXT = 100
LONGEST_LIST = 1000
# Printable signs, for descriptions: no control characters, no space but the usual one, no marks of direction. What
# `str.isprintable` refuses besides are signs that Unicode has not given a meaning, and rare ones.
PRINTABLE = r"^[^\u0000-\u001f\u007f-\u00a0\u2000-\u200f\u2028-\u202f\u205f-\u206f\ue000-\uf8ff\ufeff\ufff0-\uffff]*$"
HIGHEST_NUMBER = 1e300
_YEARS = (1970, 9000)
_OF_THESE_YEARS = "^(19[7-9][0-9]|[2-8][0-9]{3}|9000)-"


class ListOfField(serializers.ListField):
    """A list, whose length is looked at before what is in it."""

    default_error_messages = {"not_a_list": _("Must be a list.")}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": LONGEST_LIST, **kwargs})

    def to_internal_value(self, data: Any) -> list[Any]:
        """Refuse what is too long before a hundred thousand values are told to be wrong."""
        if isinstance(data, list) and self.max_length is not None and len(data) > self.max_length:
            words = self.error_messages["max_length"].format(max_length=self.max_length)
            raise serializers.ValidationError(words, code="max_length")
        values: list[Any] = super().to_internal_value(data)
        return values


class ObjectField(serializers.DictField):
    """Values by names that no field declares."""

    default_error_messages = {"not_a_dict": _("Must be an object.")}


class TextField(serializers.CharField):
    """A text, of 100 characters unless told otherwise."""

    default_error_messages = {"invalid": _("Must be a text.")}

    def __init__(self, **kwargs: Any) -> None:
        least = {} if kwargs.get("allow_blank") else {"min_length": 1}
        super().__init__(**{"max_length": LONGEST_TEXT, **least, **kwargs})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Refuse other types before the length is asked for, and count space at the ends, which is taken off later."""
        if data is not serializers.empty and data is not None and not isinstance(data, str):
            self.fail("invalid")
        if isinstance(data, str) and self.max_length is not None and len(data) > self.max_length:
            words = self.error_messages["max_length"].format(max_length=self.max_length)
            raise serializers.ValidationError(words, code="max_length")
        return super().run_validation(data)


class IdField(TextField):
    """How a game names a player or a match, taken sign for sign: with a blank behind it is another than without."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **kwargs})


class ShortNameField(serializers.SlugField):
    """The short name of a ladder, queue or game."""

    default_error_messages = {
        "invalid": _("Must be a short name: letters, digits, hyphens and underscores."),
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": LONGEST_TEXT, "trim_whitespace": False, **kwargs})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Refuse other types before the form is looked at."""
        if data is not serializers.empty and data is not None and not isinstance(data, str):
            self.fail("invalid")
        return super().run_validation(data)


class ZoneField(TextField):
    """The name of a time zone; without one that of UTC."""

    default_error_messages = {
        "no_zone": _("There is no time zone “{zone}”. Name one as `Europe/Berlin`.")
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": 60, **kwargs})

    def get_default(self) -> Any:
        """Where nothing is said."""
        return "UTC"

    def to_internal_value(self, data: Any) -> Any:
        name = super().to_internal_value(data)
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            self.fail("no_zone", zone=isolate(name))
        return name


class WholeField(serializers.IntegerField):
    """A whole number; `2.0` is one in JSON. By default what can be an id."""

    default_error_messages = {"invalid": _("Must be a whole number.")}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": HIGHEST_ID, **kwargs})

    def to_internal_value(self, data: Any) -> int:
        """Take numbers without a fraction only."""
        if isinstance(data, bool) or not isinstance(data, int | float) or data != data // 1:
            self.fail("invalid")
        return int(data)


@extend_schema_field({"type": "number", "minimum": -HIGHEST_NUMBER, "maximum": HIGHEST_NUMBER})
class NumberField(serializers.FloatField):
    """A number that a float can hold."""

    default_error_messages = {"invalid": _("Must be a number.")}

    def __init__(self, **kwargs: Any) -> None:
        bounds = {"min_value": -HIGHEST_NUMBER, "max_value": HIGHEST_NUMBER}
        super().__init__(**{**bounds, **kwargs})

    def to_internal_value(self, data: Any) -> float:
        """Take numbers only; what no float can hold is too large."""
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        try:
            return float(data)
        except OverflowError:
            return float("inf") if data > 0 else float("-inf")  # which the bounds refuse


class TruthField(serializers.BooleanField):
    """True or false."""

    default_error_messages = {"invalid": _("Must be true or false.")}

    def to_internal_value(self, data: Any) -> bool:
        """Take the two words of JSON only."""
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class TruthParameter(TruthField):
    """The same in an address."""

    def to_internal_value(self, data: Any) -> bool:
        """Take the two words of JSON only."""
        if data not in ("true", "false"):
            self.fail("invalid")
        return bool(data == "true")


@extend_schema_field({"type": "string", "format": "date-time", "pattern": _OF_THESE_YEARS})
class MomentField(serializers.DateTimeField):
    """A moment, with its time zone."""

    default_error_messages = {
        "invalid": _("Must be a time such as 2026-03-01T20:15:00Z, with its zone."),
        "year": _("Must lie between the years 1970 and 9000."),
    }

    def to_internal_value(self, value: Any) -> datetime:
        """Take texts only, and no local time."""
        if not isinstance(value, str) or value.isdigit():
            self.fail("invalid")
        moment: datetime = super().to_internal_value(value)
        if not _YEARS[0] <= moment.year <= _YEARS[1]:
            self.fail("year")
        return moment

    def enforce_timezone(self, value: datetime) -> datetime:
        """Nobody guesses where a game stands."""
        if value.tzinfo is None:
            self.fail("invalid")
        return super().enforce_timezone(value)


def with_fields(
    fields: Mapping[str, Any], *, before: str | None = None
) -> Callable[[type[S]], type[S]]:
    """Decorate a serializer: it has these fields, too, before the one named or at the end."""

    def decorate(serializer: type[S]) -> type[S]:
        own = list(serializer._declared_fields.items())
        index = len(own) if before is None else list(serializer._declared_fields).index(before)
        serializer._declared_fields = dict([*own[:index], *fields.items(), *own[index:]])
        return serializer

    return decorate
