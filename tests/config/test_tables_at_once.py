"""A migration takes all its tables in a moment when nobody uses any, and has nobody wait for that moment."""

import importlib
import time
from collections.abc import Iterator
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.contrib.auth import get_user_model
from django.db import connection, migrations, models, transaction
from django.db.migrations.loader import MigrationLoader

from config import tables_at_once
from config.management.commands import migrate
from config.tables_at_once import TakeTables
from ratings.models import Game, Ladder, Match, Player
from tests.killing.database import session_in

pytestmark = pytest.mark.django_db
HELD = "SELECT relation::regclass::text, mode FROM pg_locks WHERE pid = pg_backend_pid() AND mode LIKE '%%Exclusive%%'"
GAME, LADDER, USER = (model._meta.db_table for model in (Game, Ladder, get_user_model()))


class Changes(migrations.Migration):
    operations = (
        migrations.AddField("game", "of_the_new_release", models.IntegerField(null=True)),
        migrations.AddField(
            "ladder",
            "of_somebody",
            models.ForeignKey(get_user_model(), models.SET_NULL, null=True),
        ),
    )


@pytest.fixture
def request_at_work() -> Iterator[psycopg.Connection[Any]]:
    """A request that has the ladders, and will want the games."""
    with session_in(connection.settings_dict["NAME"]) as request:
        request.execute("SET lock_timeout = '5s'")
        request.execute("BEGIN")
        request.execute(f"SELECT FROM {LADDER}")
        yield request


def take() -> dict[str, str]:
    """Begin the migration, and give the tables that it holds by then."""
    migration = Changes("more", "ratings")
    command = migrate.Command(stdout=StringIO())
    command.verbosity = 0
    command.migration_progress_callback("apply_start", migration)
    state = MigrationLoader(connection).project_state()
    with transaction.atomic(), connection.schema_editor(atomic=False) as editor:
        with connection.cursor() as cursor:
            # Whoever waited for a table, and had others wait behind it, would be ended by this.
            cursor.execute("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = '3s'")
        migration.operations[0].database_forwards("ratings", editor, state, state)
        with connection.cursor() as cursor:
            cursor.execute(HELD)
            held = {
                table: mode for table, mode in cursor.fetchall() if table in {GAME, LADDER, USER}
            }
        transaction.set_rollback(True)
    return held


def test_whoever_has_one_table_gets_the_other_meanwhile(
    request_at_work: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    naps: list[float] = []

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        request_at_work.execute(f"SELECT FROM {GAME}")
        if len(naps) == 5:
            request_at_work.execute("COMMIT")

    monkeypatch.setattr(time, "sleep", sleep)
    assert take() == {
        GAME: "AccessExclusiveLock",
        LADDER: "AccessExclusiveLock",
        USER: "ShareRowExclusiveLock",
    }
    assert len(naps) == 5


@pytest.mark.usefixtures("request_at_work")
def test_where_there_is_no_such_moment_it_waits_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables_at_once, "PATIENCE", 0.1)
    assert take() == {}


def test_tables_of_sql_are_taken_too() -> None:
    archiving = importlib.import_module("ratings.migrations.0026_archiving").Migration
    loader = MigrationLoader(connection)
    state = loader.project_state(("ratings", "0025_corrections"))
    changed, referred = TakeTables(archiving.operations)._tables("ratings", state)
    assert {GAME, LADDER, Player._meta.db_table, Match._meta.db_table} <= changed
    assert referred == {USER}


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RemoveField("ladder", "game"),
        migrations.AlterField("ladder", "game", models.IntegerField()),
        migrations.DeleteModel("ladder"),
    ],
)
def test_so_are_those_that_a_removed_foreign_key_referred_to(operation: Any) -> None:
    """PostgreSQL locks them as hard as the table that referred to them."""
    state = MigrationLoader(connection).project_state()
    changed, _referred = TakeTables([operation])._tables("ratings", state)
    assert {GAME, LADDER} <= changed


def test_what_is_made_beside_the_work_takes_nothing() -> None:
    class Beside(Changes):
        atomic = False

    migration = Beside("more", "ratings")
    tables_at_once.take_tables_first(migration)
    assert list(migration.operations) == list(Changes.operations)


def test_it_is_told_once() -> None:
    """A migration that is tried again is the same object."""
    migration = Changes("more", "ratings")
    tables_at_once.take_tables_first(migration)
    tables_at_once.take_tables_first(migration)
    assert [type(one) for one in migration.operations] == [
        TakeTables,
        *map(type, Changes.operations),
    ]
