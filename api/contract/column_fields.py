"""Fields of bodies and answers that stand for columns: type, range and words are those of the model."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from rest_framework import serializers

from api.contract.bodies import WordField
from api.contract.fields import NumberField, TextField, TruthField, WholeField

__all__ = ["fields_of"]

Field = serializers.Field[Any, Any, Any, Any]
_LONGEST = 10_000  # characters, where the column has no limit of its own
_HIGHEST = 32_767  # of small whole numbers without a limit of their own


def fields_of(
    model: type[models.Model], names: Iterable[str], *, required: bool = False
) -> Mapping[str, Field]:
    """A field for each of these columns, by name, as `with_fields` takes them."""
    return {name: _field_of(model._meta.get_field(name), required=required) for name in names}


def _field_of(column: Any, *, required: bool) -> Field:
    given: dict[str, Any] = {"required": required}
    if column.help_text:
        given["help_text"] = column.help_text
    if column.null:
        given["allow_null"] = True
    if isinstance(column, models.BooleanField):
        return TruthField(**given)
    if column.choices:
        return WordField(choices=[word for word, _label in column.choices], **given)
    if isinstance(column, models.CharField | models.TextField):
        return TextField(
            max_length=column.max_length or _LONGEST, allow_blank=column.blank, **given
        )
    limits: dict[type, float] = {type(one): one.limit_value for one in column.validators}
    if isinstance(column, models.FloatField):
        low, high = limits[MinValueValidator], limits[MaxValueValidator]
        return NumberField(min_value=low, max_value=high, **given)
    least = int(limits.get(MinValueValidator, 0))
    return WholeField(
        min_value=least, max_value=int(limits.get(MaxValueValidator, _HIGHEST)), **given
    )
