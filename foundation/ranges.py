"""Columns that have a lowest and a highest value: named once, for forms and for the database."""

from collections.abc import Mapping

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

__all__ = ["Ranges", "constraints_of", "validators_of"]

# The lowest and the highest value by the name of a column.
Ranges = Mapping[str, tuple[float, float]]


def validators_of(ranges: Ranges, column: str) -> list[MinValueValidator | MaxValueValidator]:
    """What forms hold against a value."""
    low, high = ranges[column]
    return [MinValueValidator(low), MaxValueValidator(high)]


def constraints_of(ranges: Ranges, name: str) -> list[models.BaseConstraint]:
    """What the database holds, a constraint a column. `name`: of them, with the column's for `{}`."""
    return [
        models.CheckConstraint(
            condition=Q(**{f"{column}__gte": low, f"{column}__lte": high}),
            name=name.format(column),
        )
        for column, (low, high) in ranges.items()
    ]
