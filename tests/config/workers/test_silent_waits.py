"""A worker whose connection with PostgreSQL is lost without a word is told so, and one that waits rightly waits on."""

import itertools
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from celery.exceptions import AlwaysEagerIgnored
from django.db import connection, transaction

from config.celery import app
from config.embedded.paths import PROJECT
from config.embedded.processes import wait_until
from foundation.postgresql.locks import Lock, hold
from ratings.models import RatingChange
from tests.config.web.stopping import Proxy, proxied, silent
from tests.ratings.arena import Played, make_arena

pytestmark = pytest.mark.django_db(transaction=True)

_WAKE_UPS = 5


@dataclass
class Worker:
    """A worker with one process, to which a second of silence is long."""

    folder: Path
    queue: str
    numbers: Iterator[int]

    def begin(self, kind: str) -> str:
        """Let it wait in a way of `tests.config.workers.waiting`; returns the name of its notes.

        A wake-up is lost where the worker ends a read from Valkey at the moment it is answered: it is sent again.
        """
        name = f"{kind} {next(self.numbers)}"
        for _ in range(_WAKE_UPS):
            self.send("tests.wait", kind, name)
            if wait_until((self.folder / f"{name} begins").exists, seconds=60):
                return name
        raise AssertionError(self.log())

    def send(self, task: str, *arguments: str) -> None:
        """Wake it."""
        with warnings.catch_warnings():
            # The settings of the tests are for tasks that are called.
            warnings.simplefilter("ignore", AlwaysEagerIgnored)
            app.send_task(task, args=arguments, queue=self.queue)

    def noted(self, what: str) -> bool:
        """Whether it notes this; on a busy machine it takes a while to begin."""
        return wait_until((self.folder / what).exists, seconds=300)

    def does(self, kind: str) -> bool:
        """Whether such a wait succeeds."""
        return self.noted(f"{self.begin(kind)} done")

    def log(self) -> str:
        """What it wrote."""
        return (self.folder / "log").read_text()


@pytest.fixture(scope="module")
def proxy(django_db_setup: None) -> Iterator[Proxy]:
    """What is between the worker and PostgreSQL."""
    with proxied() as one:
        yield one


@pytest.fixture(scope="module")
def worker(proxy: Proxy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """One on the database of the tests."""
    with working(proxy, tmp_path_factory.mktemp("worker")) as one:
        yield one


@contextmanager
def working(proxy: Proxy, folder: Path) -> Iterator[Worker]:
    """A worker that ends with the block."""
    queue = f"silence-{os.getpid()}"
    own = {
        "DATABASE_URL": proxy.address(),
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "EVENMATCH_DATABASE_SILENCE": "1",
        "EVENMATCH_DATA_DIR": str(folder),
        "EVENMATCH_RUN_DEADLINE": "1",
        "NOTES": str(folder),
    }
    options = ["--queues", queue, "--hostname", f"{queue}@here", "--concurrency", "1"]
    quiet = ["--without-gossip", "--without-mingle", "--loglevel", "WARNING"]
    command = ["-m", "celery", "-A", "tests.config.workers.waiting", "worker", *options, *quiet]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=PROJECT,
            env={**os.environ, **own},
            stdout=log,
            stderr=log,
        )
    try:
        yield Worker(folder, queue, itertools.count())
    finally:
        process.terminate()
        process.wait(60)


@pytest.mark.full
def test_a_long_statement_is_waited_for(worker: Worker) -> None:
    assert worker.does("sleep"), worker.log()


@pytest.mark.full
@pytest.mark.parametrize("kind", ["ask", "commit", "copy"])
def test_an_answer_that_never_comes_is_not_waited_for(
    worker: Worker, proxy: Proxy, kind: str
) -> None:
    name = worker.begin(kind)
    assert worker.noted(f"{name} rests"), worker.log()
    with proxy.forsaking():
        (worker.folder / f"{name} goes on").touch()
        assert worker.noted(f"{name} away"), worker.log()
        assert worker.does("now"), worker.log()


@pytest.mark.full
def test_a_server_that_answers_nobody_is_not_waited_for(worker: Worker, proxy: Proxy) -> None:
    name = worker.begin("ask")
    assert worker.noted(f"{name} rests"), worker.log()
    with silent(proxy):
        (worker.folder / f"{name} goes on").touch()
        assert worker.noted(f"{name} away"), worker.log()
    assert worker.does("now"), worker.log()


def test_a_rating_run_that_was_lost_is_done_by_the_next(worker: Worker, proxy: Proxy) -> None:
    """Its session holds the claim, and has its part of a transaction behind it."""
    arena = make_arena()
    arena.track(shown=True)
    arena.play(Played(0.0, 0, 1, 1.0))
    with ExitStack() as lost:
        with transaction.atomic():
            hold(Lock.LADDER, arena.ladder.pk)
            assert any(begins_to_rate(worker) for _ in range(_WAKE_UPS)), worker.log()
            lost.enter_context(proxy.forsaking())
        assert wait_until(lambda: rates(worker), seconds=60), worker.log()
        assert worker.does("now"), worker.log()  # and nothing more that it was asked for


def begins_to_rate(worker: Worker) -> bool:
    """Whether it has got as far as a lock that we hold."""
    worker.send("ratings.rate_due_tracks")
    return wait_until(waits_for_a_lock, seconds=20)


def rates(worker: Worker) -> bool:
    """Whether the match is rated, be it by one more run."""
    worker.send("ratings.rate_due_tracks")
    return wait_until(RatingChange.objects.exists, seconds=1)


def waits_for_a_lock() -> bool:
    """Whether somebody does in this database. Of sessions a transaction sees no news, but of locks."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT FROM pg_locks WHERE NOT granted
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
        )
        return cursor.fetchone() is not None
