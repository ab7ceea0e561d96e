"""`bin/run` from the first start to the second, and docs/quick-start.md, word for word, between them.

The commands of the quick start are typed into one shell beside the new site. What it shows as an answer must be what
came: the same members with the same kinds of values, and the same words where they do not depend on the day.

The tests of this file share one site and follow one another; bin/test keeps a file together.
"""

import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from config.embedded.paths import PROJECT, database_url, postgres_dir, redis_url, run_dir
from config.embedded.processes import alive, wait_until
from config.embedded.servers import Servers
from config.workers.task_queues import QUEUES, WORKERS, sign_of_life
from tests.house.installation import quick_start
from tests.house.site import (
    LOOK_EVERY,
    ONE_PROCESS,
    PATIENCE,
    Seen,
    Site,
    manage,
    none_is_left,
    processes_of,
    run_once,
)

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("a data folder")


@pytest.fixture(scope="module")
def site(data: Path) -> Iterator[Site]:
    site = Site(data, environ=ONE_PROCESS).wait_until_up()
    yield site
    site.close()


@pytest.fixture(scope="module")
def answers_of_the_text(site: Site) -> list[str]:
    """What each block of the quick start printed, while the site is new."""
    return quick_start.type_commands(site)


def test_it_answers(site: Site) -> None:
    assert site.is_well("/health/ready")
    assert site.is_well("/health/workers")


def test_it_says_where_everything_is(site: Site, data: Path) -> None:
    words = site.output()
    assert f"http://localhost:{site.port}\n" in words
    assert f"Data folder                 {data}\n" in words
    assert "manage.py createsuperuser" in words
    workers = ("Worker for ratings", "Worker for matchmaking", "Worker for matchmaking, 2")
    for name in ("PostgreSQL", "Valkey", "Web", *workers, "Beat"):
        assert f"{name}…" in words
    assert len(words.splitlines()) < 16, words


def test_every_command_does_what_the_text_shows(answers_of_the_text: list[str]) -> None:
    assert len(answers_of_the_text) == len(quick_start.COMMANDS)
    compared = 0
    for command, came, text in zip(
        quick_start.COMMANDS, answers_of_the_text, quick_start.expected(), strict=True
    ):
        if text is not None:
            told, shown = quick_start.read(came), quick_start.read(text)
            assert quick_start.lasting(told) == quick_start.lasting(shown), command
            compared += 1
    assert compared == quick_start.TEXT.count("```json\n") > 5


def test_the_key_of_the_text_is_printed_alone(answers_of_the_text: list[str]) -> None:
    """The blocks before the first answer print what their commands say, and no secret."""
    assert answers_of_the_text[0].splitlines() == [
        "Ladder duel was added.",
        "Queue duel was added.",
    ]
    assert not any("em_srv_" in answer for answer in answers_of_the_text)


@pytest.mark.usefixtures("answers_of_the_text")
def test_the_pages_that_the_text_names_are_there(site: Site) -> None:
    for path in ("/ladders/duel/", "/players/1/", "/matches/1/", "/api/v1/docs/"):
        assert site.status(path) == 200, path


def test_a_second_copy_is_refused(site: Site) -> None:
    refused = run_once(site.data)
    assert refused.returncode == 1
    assert refused.stderr.startswith("Evenmatch already runs on the data folder")
    assert len(refused.stderr.splitlines()) == 1


def test_commands_use_the_running_servers(site: Site) -> None:
    before = postgres_pid(site.data)
    made = manage(
        site.data,
        "createsuperuser",
        *("--no-input", "--username", "ada", "--email", "ada@example.org"),
        DJANGO_SUPERUSER_PASSWORD="difference-engine",
    )
    assert made.returncode == 0, made.stderr
    assert postgres_pid(site.data) == before


@pytest.mark.parametrize("name", ["gunicorn", "ratings", "matchmaking", "beat"])
def test_a_process_that_ends_is_started_again(site: Site, name: str) -> None:
    main_process(site, name).kill()
    shown = {"gunicorn": "Web", "beat": "Beat"}.get(name, f"Worker for {name}")
    assert wait_until(
        lambda: f"{shown} ended (status -9); starting it again." in site.output(), seconds=PATIENCE
    )
    assert site.is_well("/health/ready")


def test_valkey_that_ends_is_started_again(site: Site) -> None:
    pid = int((run_dir(site.data) / "valkey.pid").read_text())
    os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: "Valkey ended; starting it again." in site.output(), seconds=PATIENCE)
    assert wait_until(lambda: Servers(site.data).fallen() == "" and answers(site), seconds=PATIENCE)
    assert site.is_well("/health/ready")
    assert work_goes_on(site)


def has_said(site: Site, words: str, *, times: int) -> bool:
    return site.output().count(words) == times


def answers(site: Site) -> bool:
    """Whether Valkey does: it makes its socket a moment before it listens."""
    with redis.Redis.from_url(redis_url(site.data)) as client:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False


def test_work_goes_on_after_valkey_was_emptied(site: Site) -> None:
    with redis.Redis.from_url(redis_url(site.data)) as client:
        client.flushall()
    assert work_goes_on(site)


def test_work_goes_on_after_valkey_hung(site: Site) -> None:
    """Longer than any connection to it waits."""
    pid = int((run_dir(site.data) / "valkey.pid").read_text())
    os.kill(pid, signal.SIGSTOP)
    time.sleep(5)
    os.kill(pid, signal.SIGCONT)
    assert work_goes_on(site)


def test_work_goes_on_after_postgresql_has_ended(site: Site) -> None:
    """As by pg_ctl stop -m immediate, or killed, again and again."""
    said = "PostgreSQL ended; starting it again."
    for time_, kind in enumerate((signal.SIGQUIT, signal.SIGKILL, signal.SIGKILL), 1):
        before = postgres_pid(site.data)
        os.kill(before, kind)
        assert wait_until(partial(has_said, site, said, times=time_), seconds=PATIENCE)
        assert site.is_well("/health/ready")
        assert postgres_pid(site.data) != before
    assert work_goes_on(site)


def test_those_that_do_nothing_are_replaced(site: Site) -> None:
    """Beat first: while nothing is sent no worker is blamed. Then the one of matchmaking that does not take it up."""
    before = len(site.output())
    for name in ("matchmaking", "beat"):
        main_process(site, name).suspend()
    for shown in ("Beat", "Worker for matchmaking"):
        for words in (f"{shown} does nothing; ending it.", f"{shown} ended (status -9)"):
            assert wait_until(partial(says_since, site, words, before), seconds=PATIENCE), words
    assert work_goes_on(site)


def says_since(site: Site, words: str, before: int) -> bool:
    return words in site.output()[before:]


def test_the_next_start_follows_one_that_was_killed(site: Site) -> None:
    """It takes over the servers, and ends everything else that the dead one has left: the port is free."""
    postgres = postgres_pid(site.data)
    site.process.kill()
    site.process.wait()
    left = {seen.pid for seen in processes_of(site.data) if "gunicorn" in seen.cmdline}
    site.start()
    site.wait_until_up()
    assert site.is_well("/health/ready")
    assert work_goes_on(site)
    assert postgres_pid(site.data) == postgres
    assert not any(alive(pid) for pid in left)


def test_ctrl_c_leaves_no_process(site: Site) -> None:
    assert len(processes_of(site.data)) > 10
    assert site.stop(signal.SIGINT) == 0
    assert site.output().endswith("\nStopped.\n")
    assert none_is_left(site.data)
    assert site.status("/health/ready") == 0
    assert "Traceback" not in site.output()


def test_a_second_start_finds_the_data(site: Site, data: Path) -> None:
    """Also over pid files that a crash left, naming a process that lives but is somebody else's."""
    assert site.ended()
    stranger = f"{os.getpid()}\n"
    for left in (
        run_dir(data) / "site.pid",
        run_dir(data) / "valkey.pid",
        postgres_dir(data) / "postmaster.pid",
    ):
        left.write_text(stranger)
    again = Site(data, "--no-workers", environ=ONE_PROCESS).wait_until_up()
    try:
        assert again.is_well("/health/ready")
        assert "Worker for" not in again.output()
        assert "Collecting static files…" not in again.output()
        with psycopg.connect(database_url(data)) as session:
            users = session.execute("SELECT username FROM accounts_user").fetchall()
        assert users == [("ada",)]
        assert again.stop(signal.SIGTERM) == 0
        assert none_is_left(data)
        assert alive(os.getpid())
    finally:
        again.close()


def test_help_needs_no_servers() -> None:
    shown = run_once(PROJECT, "--help")
    assert shown.returncode == 0
    for option in ("--port", "--data-dir", "--no-workers"):
        assert option in shown.stdout


def main_process(site: Site, name: str) -> psutil.Process:
    """The process itself is the one whose parent is bin/run, the first of several; its helpers have it as parent."""
    found: list[Seen] = []

    def is_there() -> bool:
        # One just forked bears its parent's command line until it has become what it shall be.
        nonlocal found
        mains = [seen for seen in processes_of(site.data) if seen.ppid == site.process.pid]
        found = sorted((seen for seen in mains if name in seen.cmdline), key=lambda it: it.cmdline)
        return len(found) == WORKERS.get(name, (1, 1))[0]

    assert wait_until(is_there, seconds=PATIENCE, every=LOOK_EVERY), found
    return psutil.Process(found[0].pid)


def work_goes_on(site: Site) -> bool:
    """Whether beat sends, and the workers of both queues work, from now on."""
    with redis.Redis.from_url(redis_url(site.data)) as client:
        client.delete(*(f"evenmatch:1:{sign_of_life(queue)}" for queue in QUEUES))
    return site.is_well("/health/workers")


def postgres_pid(data: Path) -> int:
    return int((postgres_dir(data) / "postmaster.pid").read_text().split("\n")[0])
