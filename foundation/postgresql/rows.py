"""Rows of models: read by SQL of one's own, or built once, where every request of the API waits for it, and deleted in
batches.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Field, Model, QuerySet
from django.db.models.query import get_related_populators

from foundation.postgresql.prepared import prepared

__all__ = ["BuiltOnce", "Columns", "delete_in_batches"]

M = TypeVar("M", bound=Model)
_FAR, _ODD = -(2**62), "\ue000"  # no id is so low, and no name begins so


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


class BuiltOnce(Generic[M]):
    """Objects by values, from a queryset whose SQL is built once: that takes Django longer than PostgreSQL to answer.

    Of a queryset that gives no objects (`values_list`), `rows` are read.

    `make` gives the queryset for values of these kinds (int or str), which must stand in its conditions as they are.
    What it selects by `select_related` comes with the objects; nothing is prefetched.
    """

    def __init__(self, make: Callable[..., QuerySet[M]], *kinds: type[int] | type[str]) -> None:
        self._make = make
        # What stands for the values while the statement is built, each known again by itself.
        self._stand_ins = [
            _FAR - index if kind is int else f"{_ODD}{index}" for index, kind in enumerate(kinds)
        ]

    def __call__(self, *values: int | str) -> list[M]:
        """The objects in the order of the queryset. One query."""
        query = self._built[0].query
        found = []
        start, end = self._own_columns
        for row in self.rows(*values):
            one = query.model.from_db(connection.alias, self._names, row[start:end])
            for populator in self._populators:
                populator.populate(row, one)
            found.append(one)
        return found

    def rows(self, *values: int | str) -> list[tuple[Any, ...]]:
        """The columns that the queryset selects, in its order. One query."""
        compiler, statement, given = self._built
        chosen = dict(zip(self._stand_ins, values, strict=True))
        with prepared() as cursor:
            cursor.execute(statement, [chosen.get(it, it) for it in given])
            found = cursor.fetchall()
        return list(compiler.results_iter([found], tuple_expected=True))

    @cached_property
    def _built(self) -> tuple[Any, str, Sequence[Any]]:
        query: Any = self._make(*self._stand_ins).query
        compiler = query.get_compiler(connection.alias)
        statement, given = compiler.as_sql()
        if missing := set(self._stand_ins).difference(given):
            raise ValueError(f"values do not stand in {statement}: {missing}")
        return compiler, statement, given

    @cached_property
    def _own_columns(self) -> tuple[int, int]:
        columns: list[int] = self._built[0].klass_info["select_fields"]
        return columns[0], columns[-1] + 1

    @cached_property
    def _names(self) -> list[str]:
        start, end = self._own_columns
        return [it[0].target.attname for it in self._built[0].select[start:end]]

    @cached_property
    def _populators(self) -> Sequence[Any]:
        compiler = self._built[0]
        # The stubs are of a later Django.
        return get_related_populators(  # type: ignore[call-arg]
            compiler.klass_info, compiler.select, connection.alias
        )


def delete_in_batches(rows: QuerySet[Any], size: int) -> int:
    """Delete rows in their order, `size` a statement; returns how many. What is left when it ends early can wait."""
    deleted = 0
    while keys := list(rows.values_list("pk", flat=True)[:size]):
        deleted += rows.model._default_manager.filter(pk__in=keys).delete()[0]
    return deleted
