"""Commands before the tables are there, or with a database of one's own: they help themselves, or say how."""

import http.client
import os
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from config.embedded.commands import manage_command, note_database
from config.embedded.paths import PROJECT, postgres_dir, valkey_dir
from config.embedded.processes import wait_until
from config.launcher.console import admin_command
from config.launcher.options import read_options
from foundation.postgresql.locks import Lock, key_of
from tests.house.site import (
    LOOK_EVERY,
    ONE_PROCESS,
    PATIENCE,
    Site,
    environment,
    free_port,
    manage,
    none_is_left,
    processes_of,
)

DOCS = (PROJECT / "docs" / "operators.md").read_text(encoding="utf-8")
TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
OURS = ("DATABASE_URL", "REDIS_URL", "EVENMATCH_PUBLIC_URL", "EVENMATCH_DATA_DIR")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a site with a database of its own."""
    return tmp_path_factory.mktemp("site") / "data"


@pytest.fixture(scope="module")
def empty() -> Iterator[str]:
    """The address of a database in which nothing is, until its tables are made as the page says; bin/run finds them."""
    name = f"evenmatch_{uuid4().hex[:12]}"
    address = os.environ["DATABASE_URL"]
    with psycopg.connect(address, autocommit=True) as session:
        session.execute(f"CREATE DATABASE {name}")
    yield f"{address.rpartition('/')[0]}/{name}"
    with psycopg.connect(address, autocommit=True) as session:
        session.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_help_on_a_new_data_folder_makes_nothing(tmp_path: Path) -> None:
    done = manage(tmp_path, "add_ladder", "go", "--game", "go", "--create-game", "--help")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "postgresql").exists()


@pytest.mark.full
def test_commands_on_a_new_data_folder_make_the_tables_once(tmp_path: Path) -> None:
    """Two at once, as where an admin is made while `bin/run` starts for the first time."""
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda _: manage(tmp_path, "rate"), range(2)))
    assert [(one.returncode, one.stdout) for one in done] == [(0, ""), (0, "")], done
    assert sorted(one.stderr for one in done) == ["", "Making the tables in the data folder…\n"]
    assert none_is_left(tmp_path)


def test_in_a_database_that_was_given_it_says_how(empty: str, tmp_path: Path) -> None:
    done = manage(tmp_path, "rate", DATABASE_URL=empty, REDIS_URL=os.environ["REDIS_URL"])
    assert done.returncode == 1
    assert "not those of this release" in done.stderr
    assert "Traceback" not in done.stderr
    assert f"DATABASE_URL={empty}" in done.stderr
    assert done.stderr.endswith("manage.py migrate\n")


def test_the_note_of_a_database_goes_with_it(tmp_path: Path) -> None:
    note_database(tmp_path, {"DATABASE_URL": "postgresql://db.example.org/evenmatch"})
    assert list((tmp_path / "run").iterdir())
    note_database(tmp_path, {})
    assert not list((tmp_path / "run").iterdir())


def test_the_printed_command_names_the_database_and_no_password(tmp_path: Path) -> None:
    options = read_options(["--data-dir", str(tmp_path)], {})
    words = admin_command(options, {"DATABASE_URL": "postgresql://eve:secret@db/evenmatch"})
    assert "DATABASE_URL='postgresql://eve:…@db/evenmatch'" in words
    assert f"EVENMATCH_DATA_DIR={tmp_path}" in words
    assert words.endswith("manage.py createsuperuser")
    assert "DATABASE_URL" not in admin_command(options, {})
    assert manage_command(["a b"], {}).endswith("manage.py 'a b'")


def blocks() -> list[str]:
    """The commands under "Without bin/run", a block each."""
    section = DOCS.partition("### Without bin/run\n")[2].partition("\n## ")[0]
    found = re.findall(r"(?:^    .*\n)+", section, re.MULTILINE)
    return [re.sub("^    ", "", block, flags=re.MULTILINE) for block in found]


@pytest.mark.full
def test_without_bin_run_as_the_page_says(empty: str, data: Path) -> None:
    """And the tables are made by one at a time: `migrate` waits for who else is at it."""
    settings, once, processes = blocks()
    port = free_port()
    values = (empty, os.environ["REDIS_URL"], f"http://localhost:{port}", str(data))
    given = "".join(f"export {name}='{value}'\n" for name, value in zip(OURS, values, strict=True))
    others = [line for line in settings.splitlines() if not line[7:].startswith(OURS)]
    assert len(others) == len(settings.splitlines()) - len(OURS)
    script = "set -eu\n" + given + "\n".join(others) + "\n"
    environ = environment(EVENMATCH_PORT=str(port), **ONE_PROCESS)

    def type_in(commands: str) -> list[str]:
        return ["/bin/bash", "-c", script + commands]

    with psycopg.connect(empty, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [key_of(Lock.TABLES, 0)])
        making = subprocess.Popen(
            type_in(once),
            cwd=PROJECT,
            env=environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert wait_until(partial(asks_for_the_lock, other), seconds=PATIENCE, every=LOOK_EVERY)
        assert other.execute(TABLES).fetchone() == (0,)
        other.execute("SELECT pg_advisory_unlock_all()")
        _, complaints = making.communicate()
        assert making.returncode == 0, complaints
        assert other.execute(TABLES).fetchone() != (0,)
    started = [
        subprocess.Popen(
            type_in(f"exec {line}"),
            cwd=PROJECT,
            env=environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for line in processes.splitlines()
    ]
    try:
        for path in ("health/ready", "", "accounts/signup/", "health/workers"):
            address = f"http://127.0.0.1:{port}/{path}"
            assert wait_until(partial(answers, address), seconds=PATIENCE, every=LOOK_EVERY), path
        assert (data / "secret_key").exists()
        refused = manage(data, "createsuperuser")
        assert refused.returncode == 1
        assert "keeps its data in a database of its own" in refused.stderr
        assert "DATABASE_URL=" in refused.stderr
        assert not postgres_dir(data).exists()
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(PATIENCE)


@pytest.mark.full
def test_given_servers_are_used_and_none_started(empty: str, data: Path) -> None:
    given = {"DATABASE_URL": empty, "REDIS_URL": os.environ["REDIS_URL"]}
    site = Site(data, "--no-workers", environ=given | ONE_PROCESS)
    try:
        site.wait_until_up()
        assert site.is_well("/health/ready")
        names = {process.name for process in processes_of(data)}
        assert not {"postgres", "valkey-server", "redis-server"} & names
        code = "from django.db import connection as c; print(c.settings_dict['NAME'])"
        name = empty.rpartition("/")[2]
        assert manage(data, "shell", "-v", "0", "-c", code, **given).stdout == f"{name}\n"
        assert not postgres_dir(data).exists()
        assert not valkey_dir(data).exists()
    finally:
        site.close()


def asks_for_the_lock(session: psycopg.Connection[Any]) -> bool:
    """Whether somebody in this database tries to be alone with the tables."""
    words = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query ~ %s"
    return session.execute(words, ["^SELECT pg_try_advisory_lock"]).fetchone() is not None


def answers(address: str) -> bool:
    """Whether the page is there."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(address, timeout=60) as answer:
            return bool(answer.status == 200)
    except (OSError, http.client.HTTPException):  # refusals among them
        return False
