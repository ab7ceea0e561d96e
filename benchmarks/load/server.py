"""The web server as operators run it, on the servers of the benchmark."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from benchmarks.load.wire import Connection, request

__all__ = ["GUNICORN", "Server", "web_server"]

PROJECT = Path(__file__).resolve().parents[2]
_STARTS_WITHIN = 60.0  # seconds
# Whoever sends so much has limits that allow it; counting goes on as usual.
_LIMITS = {
    **{f"EVENMATCH_LIMIT_SERVER_{work}": "100000000/60" for work in ("READ", "WRITE")},
    "EVENMATCH_STREAMS_PER_ADDRESS": "100000",
    "EVENMATCH_STREAMS": "100000",
    "EVENMATCH_CONNECTIONS_PER_ADDRESS": "0",
}
# As operators run it. `{port}` and `{processes}` stand for themselves in the words of another.
GUNICORN = (
    *(sys.executable, "-m", "gunicorn", "--log-level", "warning"),
    *("--config", str(PROJECT / "config" / "gunicorn.py"), "--worker-connections", "4000"),
    "config.wsgi:application",
)


@dataclass(frozen=True)
class Server:
    """A running web server: its port, and what its processes have taken so far."""

    port: int
    process: psutil.Process

    def cpu_seconds(self) -> float:
        """Of all its processes."""
        return float(sum(one.user + one.system for one in self._each("cpu_times")))

    def memory(self) -> int:
        """Bytes that its processes have for themselves alone."""
        return sum(int(one.uss) for one in self._each("memory_full_info"))

    def _each(self, what: str) -> list[Any]:
        children = self.process.children(recursive=True)
        return [getattr(one, what)() for one in (self.process, *children)]


@contextmanager
def web_server(*, processes: int, words: Sequence[str] = GUNICORN) -> Iterator[Server]:
    """Run a web server, by default gunicorn with config/gunicorn.py."""
    port = _free_port()
    with tempfile.TemporaryDirectory() as metrics:
        environ = {
            **os.environ,
            **_LIMITS,
            "DJANGO_SETTINGS_MODULE": "benchmarks.bare.settings",
            "EVENMATCH_PORT": str(port),
            "EVENMATCH_BIND": "127.0.0.1",
            "EVENMATCH_DATABASE_POOL": "20",
            "EVENMATCH_WEB_PROCESSES": str(processes),
            "PROMETHEUS_MULTIPROC_DIR": metrics,
        }
        collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity=0"]
        subprocess.run(collect, cwd=PROJECT, env=environ, check=True)  # not ready without
        command = [one.format(port=port, processes=processes) for one in words]
        server = subprocess.Popen(command, cwd=PROJECT, env=environ, stdout=sys.stderr)
        try:
            _wait(server, port)
            yield Server(port, psutil.Process(server.pid))
        finally:
            server.terminate()
            server.wait(60)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(server: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + _STARTS_WITHIN
    while server.poll() is None and time.monotonic() < until:
        try:
            if Connection(port).ask(request("GET", "/health/ready"))[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.2)
    raise RuntimeError("the web server does not start")
