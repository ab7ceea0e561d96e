"""Migrations that the release before can live with: it still runs while they are made (decision 47).

What cannot be told from the operations says why it is right, in `works_with_release_before` of its migration.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED

from config.embedded.paths import PROJECT

GONE = (
    migrations.DeleteModel,
    migrations.RemoveField,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
)
NARROWER = (
    migrations.AddConstraint,
    migrations.AlterUniqueTogether,
    migrations.AlterIndexTogether,
)
BREAKS = re.compile(
    r"\bDROP\s+(?:TABLE|COLUMN)|\bRENAME\b|\bSET\s+NOT\s+NULL|\bALTER\s+COLUMN\s+\w+\s+(?:SET\s+DATA\s+)?TYPE\b"
    r"|\bADD\s+CONSTRAINT|\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)|\bTRUNCATE\b",
    re.IGNORECASE,
)


def faults(app: str, made: Sequence[Operation], before: ProjectState) -> Iterator[str]:
    """What the code of before could not live with, in these operations on its tables."""
    state, new = before.clone(), set[str]()
    for operation in made:
        if isinstance(operation, migrations.CreateModel):
            new.add(operation.name_lower)
        whose = getattr(operation, "model_name_lower", getattr(operation, "name_lower", ""))
        if whose not in new and (fault := fault_of(app, operation, state)):
            yield f"{operation.describe()}: {fault}"
        state = state.clone()
        operation.state_forwards(app, state)


def fault_of(app: str, made: Operation, state: ProjectState) -> str:
    """What is wrong with one operation on a table that was there before; empty where nothing is."""
    if isinstance(made, GONE):
        return "the code of before still asks for it"
    if isinstance(made, NARROWER):
        return "the code of before may write what it refuses"
    if isinstance(made, migrations.AddIndex) and not isinstance(made, AddIndexConcurrently):
        return (
            "nobody can write meanwhile: AddIndexConcurrently, in a migration with atomic = False"
        )
    if isinstance(made, migrations.RunSQL) and (found := BREAKS.search(str(made.sql))):
        return f"{found[0]} in its SQL"
    if isinstance(made, migrations.RunPython):
        return "nobody can tell what it does"
    if isinstance(made, migrations.SeparateDatabaseAndState):
        return "; ".join(faults(app, list(made.database_operations), state))
    if isinstance(made, migrations.AddField):
        field = made.field
        is_given = field.null or field.many_to_many or field.db_default is not NOT_PROVIDED
        return "" if is_given else "the code of before writes rows without it: null or db_default"
    if isinstance(made, migrations.AlterField):
        old = state.models[app, made.model_name_lower].fields[made.name_lower]
        return narrowed(old, made.field)
    return ""


def narrowed(old: Any, new: Any) -> str:
    """What a field takes no longer."""
    if old.null and not new.null:
        return "the code of before may leave it empty"
    if new.unique and not old.unique:
        return "the code of before may write the same twice"
    if (new.max_length or 0) < (old.max_length or 0) and new.max_length is not None:
        return "the code of before may write more"
    if type(old) is not type(new) and old.db_type(connection) != new.db_type(connection):
        return "another type of column"
    if old.db_default is not NOT_PROVIDED and new.db_default is NOT_PROVIDED:
        return "the code of before may leave it to the database"
    return ""


def ours() -> set[str]:
    return {path.parent.name for path in PROJECT.glob("*/migrations")}


def test_the_release_before_can_live_with_each() -> None:
    loader = MigrationLoader(None)
    found = []
    for (app, name), migration in sorted(loader.disk_migrations.items()):
        if app not in ours() or migration.initial or migration.replaces or "squashed" in name:
            continue
        if getattr(migration, "works_with_release_before", ""):
            continue
        before = loader.project_state((app, name), at_end=False)
        found += [f"{app}.{name}: {one}" for one in faults(app, migration.operations, before)]
    assert found == []


def one_model() -> ProjectState:
    """An app with one table."""
    state = ProjectState()
    migrations.CreateModel(
        "Thing",
        [
            ("id", models.BigAutoField(primary_key=True)),
            ("name", models.CharField(max_length=10)),
            ("size", models.IntegerField(null=True, db_default=0)),
        ],
    ).state_forwards("shop", state)
    return state


@pytest.mark.parametrize(
    ("words", "made"),
    [
        ("still asks for it", migrations.RemoveField("thing", "name")),
        ("still asks for it", migrations.RenameField("thing", "name", "title")),
        ("still asks for it", migrations.DeleteModel("Thing")),
        ("without it", migrations.AddField("thing", "more", models.IntegerField(default=1))),
        ("leave it empty", migrations.AlterField("thing", "size", models.IntegerField())),
        ("write more", migrations.AlterField("thing", "name", models.CharField(max_length=9))),
        ("another type", migrations.AlterField("thing", "name", models.TextField())),
        (
            "same twice",
            migrations.AlterField("thing", "name", models.CharField(max_length=10, unique=True)),
        ),
        (
            "leave it to the database",
            migrations.AlterField("thing", "size", models.IntegerField(null=True)),
        ),
        (
            "nobody can write",
            migrations.AddIndex("thing", models.Index(fields=["name"], name="by_name")),
        ),
        (
            "refuses",
            migrations.AddConstraint(
                "thing", models.UniqueConstraint(fields=["name"], name="one_name")
            ),
        ),
        ("SET NOT NULL", migrations.RunSQL("ALTER TABLE shop_thing ALTER size SET NOT NULL")),
        ("RENAME", migrations.RunSQL("ALTER TABLE shop_thing RENAME TO shop_ware")),
        (
            "DROP TABLE",
            migrations.SeparateDatabaseAndState(
                database_operations=[migrations.RunSQL("DROP TABLE shop_thing")]
            ),
        ),
        ("nobody can tell", migrations.RunPython(migrations.RunPython.noop)),
    ],
)
def test_what_it_could_not_live_with_is_found(words: str, made: Operation) -> None:
    (fault,) = faults("shop", [made], one_model())
    assert words in fault


def test_what_only_adds_is_let_through() -> None:
    fields: list[tuple[str, models.Field[Any, Any]]] = [
        ("id", models.BigAutoField(primary_key=True)),
        ("name", models.CharField(max_length=5)),
    ]
    added: list[Operation] = [
        migrations.AddField("thing", "more", models.IntegerField(db_default=1)),
        migrations.AddField("thing", "less", models.IntegerField(null=True)),
        migrations.AlterField("thing", "name", models.CharField(max_length=11, help_text="x")),
        AddIndexConcurrently("thing", models.Index(fields=["name"], name="by_name")),
        migrations.RunSQL("CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'"),
        migrations.CreateModel("Part", fields),
        migrations.AddConstraint("part", models.UniqueConstraint(fields=["name"], name="one_part")),
        migrations.RemoveField("part", "name"),
    ]
    assert list(faults("shop", added, one_model())) == []
