"""`manage.py` on a data folder whose servers do not run: it starts them, and leaves none behind."""

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from config.command_line import needs_servers
from config.embedded.paths import PROJECT, postgres_dir
from config.embedded.processes import wait_until
from config.embedded.servers import Servers
from tests.house.site import (
    LOOK_EVERY,
    PATIENCE,
    Site,
    environment,
    manage,
    none_is_left,
    processes_of,
)

ASK = "from django.db import connection as c; k = c.cursor(); k.execute('SELECT 6 * 7'); print(k.fetchone()[0])"
WAIT = "import time; print('here', flush=True); time.sleep(600)"


def start(data: Path, code: str) -> subprocess.Popen[str]:
    """A command that runs beside us."""
    return subprocess.Popen(
        [sys.executable, str(PROJECT / "manage.py"), "shell", "-v", "0", "-c", code],
        env=environment(EVENMATCH_DATA_DIR=str(data)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder for those that leave it without a process, one after the other; the first find it new."""
    return tmp_path_factory.mktemp("folders") / "a data folder"


def test_it_is_of_its_own_release_wherever_it_is_called_from(tmp_path: Path) -> None:
    """From the folder of another release, say, beside which this one lies."""
    for app in ("accounts", "foundation", "events"):
        (tmp_path / app).mkdir()
        (tmp_path / app / "__init__.py").write_text(f"raise SystemExit('{app} of another release')")
    done = subprocess.run(
        [sys.executable, str(PROJECT / "manage.py"), "findstatic", "css/base.css"],
        cwd=tmp_path,
        env=environment(EVENMATCH_DATA_DIR=str(tmp_path / "data")),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert str(PROJECT / "static") in done.stdout


def test_two_at_once_share_the_servers(data: Path) -> None:
    together = [start(data, ASK) for _ in range(2)]
    assert [process.communicate(timeout=PATIENCE)[0] for process in together] == ["42\n", "42\n"]
    assert none_is_left(data)


def test_it_starts_and_stops_the_servers(data: Path) -> None:
    done = manage(data, "shell", "-v", "0", "-c", ASK)
    assert (done.stdout, done.returncode) == ("42\n", 0), done.stderr
    assert (data / "postgresql").is_dir()
    assert none_is_left(data)


@pytest.mark.full
def test_it_stops_them_after_an_error(data: Path) -> None:
    done = manage(data, "shell", "-v", "0", "-c", f"{ASK}; raise SystemExit(7)")
    assert (done.stdout, done.returncode) == ("42\n", 7), done.stderr
    assert none_is_left(data)


@pytest.mark.full
def test_whoever_leaves_last_stops_them(data: Path) -> None:
    with start(data, WAIT) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "here\n"
        with Servers(data).in_use() as servers:
            first.terminate()
            first.wait(PATIENCE)
            assert servers.fallen() == ""  # the one that started them is gone, we still use them
        assert none_is_left(data)
        assert first.returncode == 128 + signal.SIGTERM


@pytest.mark.full
def test_a_killed_command_hurts_nobody(data: Path) -> None:
    """Its servers are left to the next one, which uses them and then stops them."""
    with start(data, WAIT) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "here\n"
        killed.kill()
    left = int((postgres_dir(data) / "postmaster.pid").read_text().split("\n")[0])
    assert psutil.pid_exists(left)
    assert manage(data, "shell", "-v", "0", "-c", ASK).stdout == "42\n"
    assert none_is_left(data)


@pytest.mark.full
def test_a_site_that_is_ended_while_it_makes_the_tables_leaves_no_process(tmp_path: Path) -> None:
    """What makes them uses the servers too, and stops them if it is the last."""
    first = Site(tmp_path / "data")
    try:
        assert wait_until(lambda: makes_the_tables(first.data), seconds=PATIENCE, every=LOOK_EVERY)
        time.sleep(2.0)  # it has begun to use them
        first.stop(signal.SIGTERM)
        assert first.output().endswith("\nStopped.\n")
        assert none_is_left(first.data)
    finally:
        first.close()


def makes_the_tables(data: Path) -> bool:
    return any("migrate" in one.cmdline for one in processes_of(data))


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["manage.py"], False),
        (["manage.py", "check", "--deploy"], False),
        (["manage.py", "makemigrations", "--check"], False),
        (["manage.py", "migrate", "--help"], False),
        (["manage.py", "migrate"], True),
        (["manage.py", "import_matches", "file.csv"], True),
        (["manage.py", "backtest", "file.csv", "--system", "elo"], False),
        (["manage.py", "backtest", "--ladder=go", "--system", "elo"], True),
        (["manage.py", "tune", "file.csv", "--system=elo"], False),
        (["manage.py", "tune", "--lad", "go", "--system=elo"], True),
    ],
)
def test_only_what_needs_servers_gets_them(arguments: list[str], needed: bool) -> None:
    assert needs_servers(arguments) is needed


@pytest.mark.full
def test_a_file_is_judged_without_servers(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text("date,player_a,player_b,score_a\n" + "2024-01-01,a,b,1\n" * 4)
    data = tmp_path / "data"
    done = manage(data, "backtest", str(file), "--system=glicko", "--json")
    assert '"games": 2' in done.stdout, done.stderr
    done = manage(data, "tune", str(file), "--system=elo", "--runs=3")
    assert "--system elo --param" in done.stdout, done.stderr
    assert not (data / "postgresql").exists()


def test_a_python_without_django_hands_over(tmp_path: Path) -> None:
    """As `python manage.py` with the system's Python does: -S -E leaves it no packages."""
    command = [sys.executable, "-S", "-E", str(PROJECT / "manage.py"), "version"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.stdout.startswith("5.2"), done.stderr
    alone = tmp_path / "manage.py"
    shutil.copy(PROJECT / "manage.py", alone)
    command[3] = str(alone)
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.stderr == "Django is not installed here. Run bin/run first: it makes .venv.\n"
    assert done.returncode == 1
