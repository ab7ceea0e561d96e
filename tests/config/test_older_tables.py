"""Tables of releases before: those of the last are taken as they are, older ones are refused with what to do."""

import re
import subprocess
from pathlib import Path

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


def test_the_command_leads_to_a_release_that_can_update_them(tmp_path: Path) -> None:
    """It is the newest that has all the files of those apps, whichever of them went first."""
    why = why_too_old([("accounts", "0001_initial"), ("matchmaking", "0001_initial")])
    files = ["accounts/migrations/0006_notices.py", "matchmaking/migrations/0011_words.py"]
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    in_clone(tmp_path, "git init --quiet --initial-branch main && git add --all")
    commit(tmp_path, "with both")
    for name in reversed(files):
        (tmp_path / name).unlink()
        commit(tmp_path, f"without {name}")
    (command,) = re.findall(r"^  (git checkout .+)$", why, re.MULTILINE)
    in_clone(tmp_path, command)
    assert all((tmp_path / name).exists() for name in files)
    assert in_clone(tmp_path, "git log -1 --format=%s") == "with both\n"
    in_clone(tmp_path, "git checkout -")
    assert not any((tmp_path / name).exists() for name in files)


def commit(folder: Path, subject: str) -> None:
    who = "-c user.name=anna -c user.email=anna@example.org"
    in_clone(folder, f"git {who} commit --quiet --all --message '{subject}'")


def in_clone(folder: Path, command: str) -> str:
    return subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


def test_no_tables_are_not_too_old() -> None:
    assert not why_too_old([])
