"""Form fields whose errors name the field, the value and the range that would be right."""

import math
from datetime import date, datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from ratings.wording import range_in_words, say

__all__ = ["DayField", "RangedFloat", "RangedInteger", "field_of", "midnight"]

_READABLE, _LONGEST_ECHO = 1e15, 40
# Beyond them a day of one time zone is in no year of another.
_FIRST_DAY, _LAST_DAY = date(2, 1, 1), date(9998, 12, 31)


class _Ranged(forms.Field):
    """A number from `low` to `high`, both included."""

    def __init__(self, *, low: float, high: float, **kwargs: Any) -> None:
        super().__init__(min_value=low, max_value=high, **kwargs)  # type: ignore[call-arg]
        self.low, self.high = low, high

    def clean(self, value: Any) -> Any:
        try:
            return super().clean(value)
        except ValidationError as error:
            given = _in_words(value)
            words = {
                "name": self.label,
                "range": range_in_words(self.low, self.high),
                "value": given,
            }
            if value in self.empty_values:
                text = _("%(name)s must be %(range)s; the field is empty.")
            elif isinstance(self, RangedInteger):
                text = _("%(name)s must be a whole number %(range)s; you gave %(value)s.")
            else:
                text = _("%(name)s must be %(range)s; you gave %(value)s.")
            raise ValidationError(text % words, code="range") from error


def _in_words(value: Any) -> str:
    """What was typed: as a number where it is one that can be read."""
    typed = f"“{str(value)[:_LONGEST_ECHO]}”"
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return typed
    return typed if math.isfinite(number) and abs(number) >= _READABLE else say(number)


class RangedFloat(_Ranged, forms.FloatField):
    """A real number within a range."""


class RangedInteger(_Ranged, forms.IntegerField):
    """A whole number within a range."""


class DayField(forms.DateField):
    """A day, chosen from the calendar of the browser."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            validators=[MinValueValidator(_FIRST_DAY), MaxValueValidator(_LAST_DAY)],
            **kwargs,
        )


def midnight(day: date) -> datetime:
    """When a day begins in the operator's time zone."""
    return timezone.make_aware(datetime.combine(day, time.min))


def field_of(column: "models.Field[Any, Any]", *, low: float, high: float) -> forms.Field:
    """Make the form field of a model's column, with its own label and help."""
    kind = RangedFloat if isinstance(column, models.FloatField) else RangedInteger
    return kind(
        label=capfirst(str(column.verbose_name)),
        help_text=column.help_text,
        low=low,
        high=high,
    )
