"""Tables of releases before: those of the last are taken as they are, older ones are refused with what to do."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from config.command_line import have_tables
from config.embedded.paths import StartError
from config.older_tables import why_too_old

pytestmark = pytest.mark.django_db


@pytest.fixture
def of_before() -> None:
    """What the database says of its migrations as the release before left it."""
    MigrationRecorder(connection).migration_qs.filter(name__startswith="0001_squashed_").delete()


@pytest.mark.usefixtures("of_before")
def test_tables_of_the_release_before_are_taken_as_they_are() -> None:
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    assert not why_too_old(executor.recorder.applied_migrations())


@pytest.fixture
def older(of_before: None) -> None:
    """As one before that left it."""
    MigrationRecorder(connection).migration_qs.filter(app="ratings", name__gte="0020").delete()


@pytest.mark.usefixtures("older")
def test_older_tables_are_refused_with_what_to_do() -> None:
    to_do = r"ratings is at 0019_words.*ratings/migrations/0021_open_disputes\.py first"
    with pytest.raises(CommandError, match=to_do):
        call_command("migrate", verbosity=0)


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("is_own", [True, False])
def test_no_command_works_on_older_tables(is_own: bool) -> None:
    with pytest.raises(StartError, match="Update to the last release"):
        have_tables("repair", is_own=is_own)


def test_no_tables_are_not_too_old() -> None:
    assert not why_too_old([])
