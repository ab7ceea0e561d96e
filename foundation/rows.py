"""Rows of models: read by SQL of one's own where every request of the API waits for it, and deleted in batches."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import connection
from django.db.models import Field, Model, QuerySet

__all__ = ["Columns", "delete_in_batches"]


class Columns:
    """The columns of a table, named for a SELECT, and the objects made of what it gives.

    Takes fields whose values need no conversion; `without` names those to leave out, read when they are asked for.
    """

    def __init__(self, model: type[Model], alias: str, *, without: Sequence[str] = ()) -> None:
        self._model = model
        fields: list[Field[Any, Any]] = [
            field for field in model._meta.concrete_fields if field.name not in without
        ]
        self._names = [field.attname for field in fields]
        self.listed = ", ".join(f"{alias}.{it.column}" for it in fields)

    def build(self, values: Iterator[Any]) -> Any:
        """Make the object of the next values; None where the row of an outer join is missing."""
        own = [next(values) for _ in self._names]
        if own[self._names.index(self._model._meta.pk.attname)] is None:
            return None
        return self._model.from_db(connection.alias, self._names, own)


def delete_in_batches(rows: QuerySet[Any], size: int) -> int:
    """Delete rows in their order, `size` a statement; returns how many. What is left when it ends early can wait."""
    deleted = 0
    while keys := list(rows.values_list("pk", flat=True)[:size]):
        deleted += rows.model._default_manager.filter(pk__in=keys).delete()[0]
    return deleted
