"""The private servers of a data folder are killed again and again, and are there again each time.

The tests of this file share one data folder and follow one another; bin/test keeps a file together.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from config.embedded.locks import FileLock
from config.embedded.paths import database_url, postgres_dir, socket_dir, valkey_dir
from config.embedded.postgres import Postgres
from config.embedded.processes import alive, listener, wait_until
from config.embedded.servers import Servers
from config.embedded.valkey import Valkey
from tests.house.site import PATIENCE, none_is_left
from tests.throwaway import THROWAWAY

LOCK = ".s.PGSQL.5432.lock"
COMPUTES = "SELECT count(*) FROM generate_series(1, 1000000000) AS a, generate_series(1, 1000) AS b"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    data = tmp_path_factory.mktemp("servers")
    with Servers(data, settings=THROWAWAY).in_use() as servers:
        yield servers
    assert none_is_left(data)


@pytest.fixture
def postgres(servers: Servers) -> Postgres:
    return Postgres(servers.data, THROWAWAY)


def kill(pid: int | None) -> None:
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


def test_postgresql_that_was_killed_starts_again(servers: Servers, postgres: Postgres) -> None:
    """Also while one of its sessions computes and does not notice that it is alone."""
    for _ in range(3):
        before = postgres.pid()
        busy = threading.Thread(target=compute, args=[servers.data])
        busy.start()
        assert wait_until(lambda: computes(servers.data), seconds=PATIENCE)
        kill(before)
        assert wait_until(lambda: servers.fallen() == "PostgreSQL", seconds=PATIENCE)
        servers.start_again()
        busy.join(PATIENCE)
        assert postgres.answers()
        assert postgres.pid() not in (None, before)


def test_one_that_is_just_stopping_is_not_waited_for_once_it_has(
    servers: Servers, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever told it to, the last user of all, was killed before it could start it again."""
    patience = 60.0
    monkeypatch.setattr("config.embedded.servers.HELD_UP", patience)
    before = postgres.pid()
    assert before is not None
    session = psycopg.connect(database_url(servers.data))
    os.kill(before, signal.SIGTERM)  # it takes no further session, and ends with its last one
    assert wait_until(lambda: not postgres.answers(), seconds=PATIENCE)
    assert postgres.pid() == before
    leaving = threading.Timer(1.0, session.close)
    leaving.start()
    began = time.monotonic()
    servers.start_again()
    leaving.join()
    assert postgres.pid() not in (None, before)
    assert time.monotonic() - began < patience


def compute(data: Path) -> None:
    with suppress(psycopg.Error), psycopg.connect(database_url(data)) as session:
        session.execute(COMPUTES)


def computes(data: Path) -> bool:
    with psycopg.connect(database_url(data)) as session:
        sessions = session.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query = %s",
            [COMPUTES],
        )
        return sessions.fetchone() == (1,)


def test_files_that_name_nobody_or_a_stranger_are_in_no_ones_way(
    servers: Servers, postgres: Postgres
) -> None:
    """What a killed server leaves where nobody collects the dead, and where its number was given away again."""
    files = (postgres_dir(servers.data) / "postmaster.pid", socket_dir(servers.data) / LOCK)
    with subprocess.Popen(["true"]) as dead:  # not collected before the end of the block
        assert wait_until(lambda: not zombie_free(dead.pid), seconds=PATIENCE)
        for left in (f"{dead.pid}\n", f"{os.getpid()}\n", ""):
            kill(postgres.pid())
            assert wait_until(lambda: servers.fallen() == "PostgreSQL", seconds=PATIENCE)
            for file in files:
                file.write_text(left)
            servers.start_again()
            assert postgres.answers()
    assert alive(os.getpid())


def zombie_free(pid: int) -> bool:
    """Whether the process has not ended yet."""
    return " Z " not in Path(f"/proc/{pid}/stat").read_text()


def test_valkey_that_was_killed_starts_again(servers: Servers) -> None:
    valkey = Valkey(servers.data)
    for _ in range(3):
        before = valkey.pid()
        kill(before)
        assert wait_until(lambda: servers.fallen() == "Valkey", seconds=PATIENCE)
        servers.start_again()
        assert valkey.answers()
        assert valkey.pid() not in (None, before)


def test_servers_whose_numbers_are_lost_are_known_by_their_answers(
    servers: Servers, postgres: Postgres
) -> None:
    """No second one is started beside one that runs, and no file of its own is taken from it."""
    running = (postgres.pid(), Valkey(servers.data).pid())
    noted = postgres_dir(servers.data) / "postmaster.pid"
    words = noted.read_text()
    noted.write_text("nonsense\n")
    (servers.data / "run" / "valkey.pid").unlink()
    assert servers.fallen() == ""
    servers.start_again()
    assert (postgres.pid(), Valkey(servers.data).pid()) == running
    noted.write_text(words)


def test_nobody_listens_where_nothing_is(tmp_path: Path) -> None:
    assert listener(tmp_path / "nothing") is None
    (tmp_path / "a file").touch()
    assert listener(tmp_path / "a file") is None


def test_valkey_works_in_its_folder(servers: Servers) -> None:
    """By which it is told from a stranger that has its old number."""
    pid = Valkey(servers.data).pid()
    assert Path(f"/proc/{pid}/cwd").readlink() == valkey_dir(servers.data).resolve()


def test_a_lock_is_not_handed_on(tmp_path: Path) -> None:
    """A program that we start and that outlives us must not keep our place."""
    lock = FileLock(tmp_path / "lock")
    assert lock.try_alone()
    with subprocess.Popen(["sleep", "600"], close_fds=False) as outlives:
        lock.close()
        second = FileLock(tmp_path / "lock")
        assert second.try_alone()
        second.close()
        outlives.kill()
