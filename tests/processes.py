"""Real processes on the database of the test: they are killed, stopped, and go on, each with a session of its own.

They are forked from one that has imported everything already: a new interpreter would first be at that for seconds.
"""

import gc
import multiprocessing
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from typing import Any

import psutil
from django.db import connection, connections

__all__ = ["PATIENCE", "Running", "forks", "hear", "killed_behind", "running", "say", "wait_until"]

PATIENCE = 300.0  # seconds, for a test that hangs only
# What is imported before any fork. The first sets Django up, from the environment of the test.
_PRELOADED = [
    "tests.killing.children",
    "tests.under_fire.children",
    "tests.together.killed",
    "leaderboards.boards.refresh",
    "matchmaking.sweep.run",
    "ratings.importing.import_file",
    "ratings.tasks",
    "tests.countdown",
    "tests.leaderboards.cast",
    "tests.matchmaking.hall",
    "tests.ratings.match_files",
    "tests.ratings.replays",
    "pytest",
]
_READY = "ready"
_line: Connection | None = None  # from a process to the test that has started it


def forks() -> ForkServerContext:
    """Where processes are started as forks of one that is ready: one for each process of pytest."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    return context


def say(what: object) -> None:
    """In a process: tell the test."""
    assert _line is not None
    _line.send(what)


def hear() -> Any:
    """In a process: what the test says next. EOFError when it says nothing more."""
    assert _line is not None
    return _line.recv()


@contextmanager
def killed_behind(statements: int) -> Iterator[None]:
    """Inside, this process is killed once so many statements were carried out."""
    left = statements

    def counting(execute: Callable[..., Any], sql: str, *given: Any) -> Any:
        nonlocal left
        result = execute(sql, *given)
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    with connection.execute_wrapper(counting):
        yield


class Running:
    """A process as the test sees it. What it prints goes to a file, which is shown when it ends too early."""

    def __init__(self, process: ForkServerProcess, line: Connection, words: Path) -> None:
        self._process, self._line, self._words = process, line, words

    def hear(self) -> Any:
        """What it says next; the last is what its work has returned. Fails when it ends, or takes minutes."""
        try:
            assert self._line.poll(PATIENCE), "the other process says nothing"
            return self._line.recv()
        except (EOFError, ConnectionResetError):
            raise AssertionError(
                f"the other process has ended\n{self._words.read_text()}"
            ) from None

    @property
    def words(self) -> str:
        """What it has printed."""
        return self._words.read_text()

    def has_spoken(self) -> bool:
        """Whether there is something to hear; an end too."""
        return self._line.poll()

    def tell(self, what: object) -> None:
        """Say something to it."""
        self._line.send(what)

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def kill(self) -> None:
        """End it as the system does when memory runs out: at once, whatever it is doing. It is gone afterwards."""
        self._process.kill()
        self.wait()

    def wait(self) -> int:
        """Wait for its end; its exit status, or the signal that has ended it as a negative number."""
        self._process.join(PATIENCE)
        assert self._process.exitcode is not None, "the other process does not end"
        return self._process.exitcode

    def wait_until_stopped(self) -> None:
        """Wait for it to stop, or fail when it has ended."""
        itself = psutil.Process(self._process.pid)

        def is_stopped() -> bool:
            assert self._process.is_alive(), self._words.read_text()
            return bool(itself.status() == psutil.STATUS_STOPPED)

        wait_until(is_stopped)


@contextmanager
def running(work: Callable[..., object], *arguments: object) -> Iterator[Running]:
    """Let a process do some work, given as a function that it can import; killed after the block.

    When the block begins it is connected to the database of the test, and begins.
    """
    here, there = multiprocessing.Pipe()
    with tempfile.TemporaryDirectory() as folder, here:
        words = Path(folder) / "words"
        database = connection.settings_dict["NAME"]
        given = (there, str(words), database, work, arguments)
        process = forks().Process(target=_do, args=given, daemon=True)
        process.start()
        there.close()
        started = Running(process, here, words)
        try:
            assert started.hear() == _READY
            yield started
        finally:
            started.kill()


def _do(
    line: Connection,
    words: str,
    database: str,
    work: Callable[..., object],
    arguments: tuple[object, ...],
) -> None:
    global _line
    _line = line
    gc.freeze()  # else the first collection would copy all that is shared with the process it was forked from
    log = os.open(words, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    connections["default"].settings_dict["NAME"] = database
    connection.ensure_connection()
    say(_READY)
    say(work(*arguments))


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for what other processes do; gives up, so that a test does not hang when they have died."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "the other processes did not get there"
        time.sleep(0.01)
