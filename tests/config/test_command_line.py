"""Commands before the tables are there, or with a database of one's own: they help themselves, or say how."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from config.embedded.commands import manage_command, note_database
from config.embedded.paths import PROJECT
from config.embedded.processes import wait_until
from config.launcher.console import admin_command
from config.launcher.options import read_options
from foundation.locks import Lock, key_of
from tests.house.site import PATIENCE, environment, free_port, manage, none_is_left

DOCS = (PROJECT / "docs" / "operators.md").read_text(encoding="utf-8")
OURS = ("DATABASE_URL", "REDIS_URL", "EVENMATCH_PUBLIC_URL", "EVENMATCH_DATA_DIR")


@pytest.fixture
def empty() -> Iterator[str]:
    """The address of a database in which nothing is."""
    name = f"evenmatch_{uuid4().hex[:12]}"
    address = os.environ["DATABASE_URL"]
    with psycopg.connect(address, autocommit=True) as session:
        session.execute(f"CREATE DATABASE {name}")
    yield f"{address.rpartition('/')[0]}/{name}"
    with psycopg.connect(address, autocommit=True) as session:
        session.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_command_on_a_new_data_folder_makes_the_tables(tmp_path: Path) -> None:
    done = manage(tmp_path, "add_ladder", "go", "--game", "go", "--create-game", "--help")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "postgresql").exists()
    done = manage(tmp_path, "rate")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert done.stderr == "Making the tables in the data folder…\n"
    assert none_is_left(tmp_path)


def test_two_that_make_the_tables_at_once(tmp_path: Path) -> None:
    """As where an admin is made while `bin/run` starts for the first time."""
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda _: manage(tmp_path, "rate"), range(2)))
    assert [one.returncode for one in done] == [0, 0], [one.stderr for one in done]
    assert [one.stderr for one in done].count("Making the tables in the data folder…\n") == 1
    assert none_is_left(tmp_path)


def test_the_tables_are_made_by_one_at_a_time(empty: str, tmp_path: Path) -> None:
    with psycopg.connect(empty, autocommit=True) as other, ThreadPoolExecutor(1) as pool:
        other.execute("SELECT pg_advisory_lock(%s)", [key_of(Lock.TABLES, 0)])
        given = {"DATABASE_URL": empty, "REDIS_URL": os.environ["REDIS_URL"]}
        migrating = pool.submit(manage, tmp_path, "migrate", "-v", "0", **given)

        def asks() -> bool:
            words = (
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query ~ %s"
            )
            return other.execute(words, ["^SELECT pg_try_advisory_lock"]).fetchone() is not None

        assert wait_until(asks, seconds=PATIENCE)
        tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        assert other.execute(tables).fetchone() == (0,)
        other.execute("SELECT pg_advisory_unlock_all()")
        done = migrating.result()
        assert (done.returncode, done.stderr) == (0, "")
        assert other.execute(tables).fetchone() != (0,)


def test_in_a_database_that_was_given_it_says_how(empty: str, tmp_path: Path) -> None:
    done = manage(tmp_path, "rate", DATABASE_URL=empty, REDIS_URL=os.environ["REDIS_URL"])
    assert done.returncode == 1
    assert "not those of this release" in done.stderr
    assert "Traceback" not in done.stderr
    assert f"DATABASE_URL={empty}" in done.stderr
    assert done.stderr.endswith("manage.py migrate\n")


def test_a_shell_without_the_database_makes_no_stray_cluster(tmp_path: Path) -> None:
    note_database(tmp_path, {"DATABASE_URL": "postgresql://db.example.org/evenmatch"})
    done = manage(tmp_path, "createsuperuser")
    assert done.returncode == 1
    assert "keeps its data in a database of its own" in done.stderr
    assert "DATABASE_URL=" in done.stderr
    assert not (tmp_path / "postgresql").exists()
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


def test_without_bin_run_as_the_page_says(empty: str, tmp_path: Path) -> None:
    settings, once, processes = blocks()
    port = free_port()
    values = (empty, os.environ["REDIS_URL"], f"http://localhost:{port}", str(tmp_path / "data"))
    given = "".join(f"export {name}='{value}'\n" for name, value in zip(OURS, values, strict=True))
    others = [line for line in settings.splitlines() if not line[7:].startswith(OURS)]
    assert len(others) == len(settings.splitlines()) - len(OURS)
    script = "set -eu\n" + given + "\n".join(others) + "\n"
    environ = environment(EVENMATCH_PORT=str(port), EVENMATCH_WEB_PROCESSES="1")

    def type_in(commands: str) -> list[str]:
        return ["/bin/bash", "-c", script + commands]

    ran = subprocess.run(
        type_in(once), cwd=PROJECT, env=environ, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
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
            assert wait_until(lambda where=address: answers(where), seconds=PATIENCE), address  # type: ignore[misc]
        assert (tmp_path / "data" / "secret_key").exists()
        refused = manage(tmp_path / "data", "createsuperuser")
        assert "in a database of its own" in refused.stderr
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(PATIENCE)


def answers(address: str) -> bool:
    """Whether the page is there."""
    done = subprocess.run(
        [sys.executable, "-c", f"import urllib.request as u; u.urlopen({address!r}, timeout=60)"],
        env={**environment(), "no_proxy": "*"},
        capture_output=True,
        check=False,
    )
    return done.returncode == 0
