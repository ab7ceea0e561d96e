"""The processes of the site itself: web, a worker for each queue, and beat."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from config.embedded.paths import PROJECT
from config.embedded.processes import last_lines, set_aside
from config.workers.task_queues import BEAT

PR_SET_PDEATHSIG = 1  # prctl(2)


@dataclass
class Child:
    """One process: its command, its log, and how to see that it answers."""

    name: str
    command: list[str]
    log: Path
    answers: Callable[[], bool]
    patience: float = 30.0  # seconds to end what it is doing
    sign: str = ""  # the name under which it leaves signs of life, where it leaves any
    at_once: int = 0  # tasks it does at a time
    told: Mapping[str, str] = field(default_factory=dict)  # variables beside those of all
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    falls: int = 0  # in a row, each soon after its start
    due_at: float = 0.0  # before which it is not started again
    logged_before: int = 0  # bytes of its log that earlier ones have written

    def start(self, environ: Mapping[str, str]) -> None:
        """Start it in a session of its own; it ends when we are killed."""
        set_aside(self.log)
        self.started_at = time.monotonic()
        with self.log.open("ab") as log:
            self.logged_before = log.tell()
            self.process = subprocess.Popen(
                self.command,
                cwd=PROJECT,
                env={**environ, **self.told},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_end_with_parent,  # noqa: PLW1509 - we have no threads
            )

    def ended(self) -> bool:
        """Whether it has stopped running."""
        return self.process is None or self.process.poll() is not None

    def stop(self) -> None:
        """Let it finish what it does, then make it end, with everything it started."""
        self.ask_to_end()
        self.see_to_end()

    def ask_to_end(self) -> None:
        """Let it finish what it does, and do not wait for it."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGTERM)

    def see_to_end(self) -> None:
        """Wait for one that was asked to end, then make it, with everything it started."""
        if self.process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(self.patience)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def kill(self) -> None:
        """End it and everything it started at once; it is then found ended."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def last_words(self) -> str:
        """The end of what it wrote to its log, for an error message; empty where that is nothing."""
        lines = last_lines(self.log, 8, after=self.logged_before)
        return f"; the end of {self.log}:{lines}" if lines else ""


def web(log: Path, url: str) -> Child:
    """Gunicorn with gevent workers; ready when /health/ready says so."""
    config = str(PROJECT / "config" / "gunicorn.py")
    command = ["-m", "gunicorn", "--config", config, "config.wsgi:application"]
    return Child("Web", _python(*command), log / "web.log", lambda: _ok(f"{url}/health/ready"))


def worker(
    log: Path, queue: str, number: int, node: str, at_once: int, ping: Callable[[], bool]
) -> Child:
    """A Celery worker of one queue, the first or a further one; ready when it answers a ping."""
    options = ["--queues", queue, "--hostname", node, "--concurrency", str(at_once)]
    quiet = ["--without-gossip", "--without-mingle", "--loglevel", "WARNING"]
    command = _python("-m", "config.workers", "worker", *options, *quiet)
    name, file = f"Worker for {queue}", f"worker-{queue}"
    if number > 1:
        name, file = f"{name}, {number}", f"{file}-{number}"
    return Child(
        name,
        command,
        log / f"{file}.log",
        ping,
        patience=60.0,
        sign=node,
        at_once=at_once,
        told={"CELERY_SKIP_CHECKS": "1"},  # `migrate` has made Django's checks just now
    )


def beat(log: Path, run: Path, seen: Callable[[], bool]) -> Child:
    """Celery beat; ready when a task that it sent has been carried out."""
    options = ["--schedule", str(run / "beat-schedule"), "--pidfile", "", "--loglevel", "WARNING"]
    command = _python("-m", "config.workers", "beat", *options)
    return Child("Beat", command, log / "beat.log", seen, sign=BEAT)


def log_receiver(log: Path, run: Path) -> Child:
    """What hears log lines of game servers by UDP; ready when it listens."""
    sign = run / "log-receiver"
    sign.unlink(missing_ok=True)
    command = _python("manage.py", "receive_logs", "--sign", str(sign))
    return Child("Log receiver", command, log / "log-receiver.log", sign.exists)


def players(log: Path, run: Path, url: str) -> Child:
    """The simulated players of the demo; ready when the first of them are about to play."""
    sign = run / "demo-players"
    sign.unlink(missing_ok=True)
    command = ["manage.py", "demo_play", "--url", url, "--sign", str(sign)]
    return Child("Simulated players", _python(*command), log / "players.log", sign.exists)


def _python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


def _ok(url: str) -> bool:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(url, timeout=10) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _end_with_parent() -> None:
    """Ask Linux to end this process when the one that started it is gone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
