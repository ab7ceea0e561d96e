"""`manage.py migrate` beside a site that runs: it never has others wait behind it for long."""

import time
from collections.abc import Iterator
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.core.management.commands import migrate as django_migrate
from django.db import connection, migrations, transaction

from config.management.commands import migrate
from tests.killing.database import session_in

pytestmark = pytest.mark.django_db
TABLE = "demo_simulatedplayer"
TIMEOUT = "SELECT current_setting('lock_timeout')"


@pytest.fixture
def reader() -> Iterator[psycopg.Connection[Any]]:
    """Who reads the table for a long time, as a backup does."""
    with session_in(connection.settings_dict["NAME"]) as reading:
        reading.execute("BEGIN")
        reading.execute(f"SELECT FROM {TABLE}")
        yield reading


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One migration that changes the table, in the place of all; gives the limit of each try."""
    limits: list[str] = []

    def handle(self: migrate.Command, *, verbosity: int, **_options: Any) -> None:
        self.verbosity = verbosity
        with transaction.atomic():
            self.migration_progress_callback("apply_start", migrations.Migration("more", "demo"))
            with connection.cursor() as cursor:
                cursor.execute(TIMEOUT)
                limits.append(cursor.fetchone()[0])
                cursor.execute(f"ALTER TABLE {TABLE} ADD COLUMN of_the_new_release int")
        self.migration_progress_callback("apply_success", migrations.Migration("more", "demo"))

    monkeypatch.setattr(django_migrate.Command, "handle", handle)
    return limits


def test_it_lets_others_go_first_and_tries_again(
    reader: psycopg.Connection[Any], tried: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request comes between two tries, and need not wait for the reader."""

    def sleep(_seconds: float) -> None:
        with session_in(connection.settings_dict["NAME"]) as request:
            request.execute("SET statement_timeout = '20s'")
            request.execute(f"SELECT FROM {TABLE}")
        if len(tried) == 4:
            reader.execute("ROLLBACK")

    monkeypatch.setattr(time, "sleep", sleep)
    said = StringIO()
    call_command("migrate", stdout=said)
    assert tried == ["500ms", "500ms", "900ms", "900ms", "900ms"]
    assert said.getvalue().count("The tables are in use, longest by process") == 4
    with connection.cursor() as cursor:
        cursor.execute(TIMEOUT)
        assert cursor.fetchone() == ("0",)


@pytest.mark.usefixtures("reader", "tried")
def test_its_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "PATIENCE", -1.0)
    with pytest.raises(CommandError, match=r"in use, longest by process \d+ .*SELECT FROM demo_"):
        call_command("migrate", verbosity=0)


def test_what_is_made_beside_the_work_is_not_hurried() -> None:
    class Beside(migrations.Migration):
        atomic = False

    command = migrate.Command(stdout=StringIO())
    command.verbosity = 1
    command.migration_progress_callback("apply_start", Beside("index", "demo"))
    with connection.cursor() as cursor:
        cursor.execute(TIMEOUT)
        assert cursor.fetchone() == ("0",)
