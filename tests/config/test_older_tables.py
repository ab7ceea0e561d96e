"""Tables of releases before: those of the last are taken as they are, older ones are refused with what to do."""

import re
import shutil
import subprocess

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from config.command_line import have_tables
from config.embedded.paths import PROJECT, StartError
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


@pytest.mark.skipif(not (PROJECT / ".git").exists(), reason="no clone, so no history")
@pytest.mark.skipif(not shutil.which("git"), reason="no git")
def test_the_command_leads_to_a_release_that_can_update_them() -> None:
    """It is the newest that has all the files of those apps, whichever of them went first."""
    applied = [("accounts", "0001_initial"), ("matchmaking", "0001_initial")]
    why = why_too_old(applied)
    files = ["accounts/migrations/0006_notices.py", "matchmaking/migrations/0011_words.py"]
    assert all(file in why for file in files)
    (command,) = re.findall(r'^  git checkout "\$\((.+)\)\^"$', why, re.MULTILINE)
    log, _, last = command.partition(" | ")
    assert last == "tail -1"
    went = git(*log.split()[1:]).splitlines()
    if not went:
        pytest.skip("a clone without its history")
    there = git("ls-tree", "-r", "--name-only", f"{went[-1]}^", "accounts", "matchmaking")
    assert files[0] in there.splitlines()
    assert files[0] not in git("ls-tree", "-r", "--name-only", went[-1], "accounts").splitlines()
    assert not re.search(r"migrations/0001_squashed", there)


def git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout


def test_no_tables_are_not_too_old() -> None:
    assert not why_too_old([])
