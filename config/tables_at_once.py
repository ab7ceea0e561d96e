"""All tables that a migration changes, taken at once or not at all.

One after the other would be a deadlock with every request that has the second and wants the first.
"""

import re
import time
from collections.abc import Iterator, Sequence
from typing import Any, cast

from django.db import OperationalError, connection, models, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import (
    AddField,
    AlterField,
    AlterModelManagers,
    AlterModelOptions,
    CreateModel,
    DeleteModel,
    Migration,
    RemoveField,
    RunSQL,
    SeparateDatabaseAndState,
)
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.migrations.utils import resolve_relation
from psycopg.errors import LockNotAvailable

__all__ = ["TakeTables", "take_tables_first"]

# Seconds in which even a busy site has a moment when nobody uses any of them. So short that whoever tries again for
# minutes comes to its longer waits, too.
PATIENCE = 5.0
_ASK_EVERY = 0.01
# As they stand in a migration's own SQL: ALTER TABLE x, CREATE TRIGGER … ON x, CREATE INDEX … ON x.
_IN_SQL = re.compile(r'\b(?:TABLE|ON)\s+(?:ONLY\s+)?"?(\w+)', re.IGNORECASE)


def take_tables_first(migration: Migration) -> None:
    """Have this migration begin by taking its tables, where it is one transaction, and has not been told already."""
    operations = cast("list[Operation]", migration.operations)
    if migration.atomic and not any(isinstance(one, TakeTables) for one in operations):
        operations.insert(0, TakeTables(operations))


class TakeTables(Operation):
    """Wait for a moment in which nobody uses any table that the operations change, or refer to.

    Nobody waits behind us meanwhile, as somebody would behind a statement that waits. Without such a moment within
    `PATIENCE` the operations wait for one table after the other, as ever.
    """

    reduces_to_sql = False
    reversible = True

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = tuple(operations)

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Nothing changes by it."""

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Going back is for a site at rest."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Take them, each try all or none."""
        changed, referred = self._tables(app_label, from_state)
        with connection.cursor() as cursor:
            there = set(connection.introspection.table_names(cursor))
        statements = [
            f"LOCK TABLE {', '.join(map(connection.ops.quote_name, sorted(names & there)))} IN {mode} MODE NOWAIT"
            for names, mode in (
                (changed, "ACCESS EXCLUSIVE"),
                (referred - changed, "SHARE ROW EXCLUSIVE"),
            )
            if names & there
        ]
        until = time.monotonic() + PATIENCE
        while not _are_taken(statements) and time.monotonic() < until:
            time.sleep(_ASK_EVERY)

    def _tables(self, app_label: str, state: ProjectState) -> tuple[set[str], set[str]]:
        """What is changed, and what foreign keys refer to: PostgreSQL keeps others from writing these meanwhile."""
        changed, referred = set[str](), set[str]()
        for operation in _in_database(self.operations):
            if isinstance(operation, RunSQL):
                changed |= set(_IN_SQL.findall(str(operation.sql)))
            elif operation.reduces_to_sql:
                name = getattr(operation, "model_name", None) or getattr(operation, "name", "")
                changed |= _table_of(state, app_label, str(name))
            # PostgreSQL takes the triggers of a foreign key off the other table, too.
            for field in _fields_before(operation, state, app_label):
                changed |= _others(field, state, app_label)
            for field in _fields(operation):
                referred |= _others(field, state, app_label)
        return changed, referred


def _are_taken(statements: list[str]) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
    except OperationalError as error:
        if not isinstance(error.__cause__, LockNotAvailable):
            raise
        return False
    return True


def _in_database(operations: Sequence[Operation]) -> Iterator[Operation]:
    for operation in operations:
        if isinstance(operation, SeparateDatabaseAndState):
            yield from _in_database(operation.database_operations)
        elif not isinstance(operation, AlterModelOptions | AlterModelManagers):
            yield operation


def _fields(operation: Operation) -> "list[models.Field[Any, Any]]":
    if isinstance(operation, CreateModel):
        return [field for _name, field in operation.fields]
    return [operation.field] if isinstance(operation, AddField | AlterField) else []


def _fields_before(
    operation: Operation, state: ProjectState, app_label: str
) -> "list[models.Field[Any, Any]]":
    """Those that the operation takes away, or makes anew."""
    if isinstance(operation, RemoveField | AlterField):
        model = state.models.get((app_label, str(operation.model_name).lower()))
        return [model.fields[str(operation.name)]] if model else []
    if isinstance(operation, DeleteModel):
        model = state.models.get((app_label, str(operation.name).lower()))
        return list(model.fields.values()) if model else []
    return []


def _others(field: "models.Field[Any, Any]", state: ProjectState, app_label: str) -> set[str]:
    """The table that a foreign key refers to; none of another field."""
    if isinstance(field, models.ForeignKey) and getattr(field, "db_constraint", True):
        return _table_of(state, app_label, field.remote_field.model)
    return set()


def _table_of(state: ProjectState, app_label: str, model: str | type[models.Model]) -> set[str]:
    """None of a model that is not there yet."""
    key = resolve_relation(model, app_label)
    if key not in state.models:
        return set()
    return {state.apps.get_model(*key)._meta.db_table}
