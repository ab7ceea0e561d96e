"""Starts `bin/run` and `manage.py` as their users do, and looks at what they leave behind."""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from config.embedded.paths import PROJECT
from config.embedded.processes import wait_until

# Seconds. Guards against waiting for ever; nothing is measured by it.
PATIENCE = 300
# Of the web server: each loads the whole site.
ONE_PROCESS = {"EVENMATCH_WEB_PROCESSES": "1"}
# Between two looks at all processes or at a page, each of which costs the site and us some processor.
LOOK_EVERY = 0.25
# What this test run set for itself must not reach the installations under test.
OURS = ("DATABASE_URL", "REDIS_URL", "EVENMATCH_", "DJANGO_", "PYTEST_", "PROMETHEUS_")
LEFT_OUT = shutil.ignore_patterns(".venv", ".git", "var", "node_modules", ".*_cache", ".hypothesis")


def environment(**more: str) -> dict[str, str]:
    """A user's environment, with these variables."""
    users = {name: text for name, text in os.environ.items() if not name.startswith(OURS)}
    return users | {"EVENMATCH_SETTINGS": ""} | more


def free_port() -> int:
    """A port that nobody listens on. Until this process ends it is given to nobody who asks for any."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # who asks for this one gets it
    holder.bind(("127.0.0.1", 0))
    port = int(holder.getsockname()[1])
    holder.detach()  # open, as long as we are
    return port


def copy_project(place: Path) -> Path:
    """The project in another place, with the same .venv, and compiled as far as it is here."""
    shutil.copytree(PROJECT, place, ignore=LEFT_OUT)
    (place / ".venv").symlink_to(Path(sys.prefix), target_is_directory=True)
    return place


def run_once(
    data: Path, *options: str, environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`bin/run`, expected to end by itself."""
    return subprocess.run(
        [str(PROJECT / "bin" / "run"), "--data-dir", str(data), *options],
        env=environment(**(environ or {})),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def manage(data: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """One management command on a data folder."""
    return _manage(data, arguments, more, PATIENCE)


def carry_out(
    data: Path,
    *arguments: str,
    environ: Mapping[str, str] | None = None,
    patience: float = PATIENCE,
) -> str:
    """One management command that must succeed within so many seconds; returns what it printed."""
    done = _manage(data, arguments, environ or {}, patience)
    if done.returncode:
        raise RuntimeError(f"manage.py {arguments[0]}: {done.stderr}")
    return done.stdout


def _manage(
    data: Path, arguments: Sequence[str], environ: Mapping[str, str], patience: float
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(PROJECT / "manage.py"), *arguments],
        env=environment(EVENMATCH_DATA_DIR=str(data), **environ),
        capture_output=True,
        text=True,
        timeout=patience,
        check=False,
    )


@dataclass(frozen=True, slots=True)
class Seen:
    """One process as it was when we looked: it may have ended since, as those of a pool do."""

    pid: int
    ppid: int
    uid: int
    name: str
    cmdline: tuple[str, ...]


def processes_of(data: Path) -> list[Seen]:
    """Every process that works for this data folder: told it, named it, or working in it."""
    found = []
    for process in psutil.process_iter():
        try:
            told = process.environ().get("EVENMATCH_DATA_DIR") == str(data)
            inside = Path(process.cwd()).is_relative_to(data)
            named = str(data) in " ".join(process.cmdline())
            if (told or inside or named) and process.pid != os.getpid():
                found.append(_seen(process))
        except (psutil.AccessDenied, psutil.NoSuchProcess, FileNotFoundError):
            continue  # not ours, or about to end: it has no folder any more
    return found


def none_is_left(data: Path) -> bool:
    """Whether no process works for this data folder; one that was killed takes a moment to end."""
    return wait_until(lambda: processes_of(data) == [], seconds=60, every=LOOK_EVERY)


def _seen(process: psutil.Process) -> Seen:
    return Seen(
        process.pid,
        process.ppid(),
        process.uids().real,
        process.name(),
        tuple(process.cmdline()),
    )


class Site:
    """One `bin/run` and what it printed so far."""

    def __init__(
        self,
        data: Path,
        *options: str,
        project: Path = PROJECT,
        prefix: tuple[str, ...] = (),
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.data = data
        self.port = free_port()
        self._output = tempfile.TemporaryFile("a+")  # noqa: SIM115 - close() closes it
        command = [str(project / "bin" / "run"), "--data-dir", str(data), "--port", str(self.port)]
        self._command = [*prefix, *command, *options]
        self._environ = environment(**(environ or {}))
        self._project, self._starts = project, 0
        self.start()

    def start(self) -> None:
        """Start `bin/run`; again where it has ended, on the same port, adding to what it printed."""
        self._starts += 1
        self.process = subprocess.Popen(
            self._command,
            cwd=self._project,
            env=self._environ,
            stdout=self._output,
            stderr=subprocess.STDOUT,
        )

    def is_up(self) -> bool:
        """Whether the latest start has said where the site is."""
        return self.output().count("Ctrl-C") == self._starts

    def output(self) -> str:
        """All it printed."""
        handle = self._output.fileno()
        return os.pread(handle, 1_000_000, 0).decode(errors="replace")

    def wait_until_up(self) -> "Site":
        """Wait for the lines that say where the site is."""
        wait_until(lambda: self.is_up() or self.ended(), seconds=PATIENCE, every=LOOK_EVERY)
        assert self.is_up(), self.output()
        return self

    def ended(self) -> bool:
        """Whether it has ended."""
        return self.process.poll() is not None

    def page(self, path: str) -> str:
        """The text of a page."""
        with self._open(path) as answer:
            text: str = answer.read().decode()
        return text

    def status(self, path: str) -> int:
        """HTTP status of a page; 0 when nobody answers."""
        try:
            with self._open(path) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return int(refusal.code)
        except (OSError, http.client.HTTPException):
            return 0

    def is_well(self, path: str) -> bool:
        """Whether a page answers 200, now or once the servers below it have caught up."""
        return wait_until(lambda: self.status(path) == 200, seconds=PATIENCE, every=LOOK_EVERY)

    def _open(self, path: str) -> http.client.HTTPResponse:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        address = f"http://127.0.0.1:{self.port}{path}"
        answer: http.client.HTTPResponse = direct.open(address, timeout=PATIENCE)
        return answer

    def stop(self, kind: signal.Signals = signal.SIGINT) -> int:
        """Send a signal, wait for the end, give the exit code."""
        if not self.ended():
            self.process.send_signal(kind)
        code = self.process.wait(PATIENCE)
        self._output.flush()
        return code

    def close(self) -> None:
        """Stop it whatever the test found."""
        self.stop()
        self._output.close()
