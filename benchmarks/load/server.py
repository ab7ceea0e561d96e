"""The web server as operators run it, on the servers of the benchmark."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.load.wire import Connection, request

__all__ = ["web_server"]

PROJECT = Path(__file__).resolve().parents[2]
_STARTS_WITHIN = 60.0  # seconds
# Whoever sends so much has limits that allow it; counting goes on as usual.
_LIMITS = {
    **{f"EVENMATCH_LIMIT_SERVER_{work}": "100000000/60" for work in ("READ", "WRITE")},
    "EVENMATCH_STREAMS_PER_ADDRESS": "100000",
}


@contextmanager
def web_server(*, processes: int) -> Iterator[int]:
    """Run gunicorn with config/gunicorn.py; gives its port."""
    port = _free_port()
    with tempfile.TemporaryDirectory() as metrics:
        environ = {
            **os.environ,
            **_LIMITS,
            "DJANGO_SETTINGS_MODULE": "benchmarks.bare.settings",
            "EVENMATCH_PORT": str(port),
            "EVENMATCH_BIND": "127.0.0.1",
            "EVENMATCH_WEB_PROCESSES": str(processes),
            "PROMETHEUS_MULTIPROC_DIR": metrics,
        }
        collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity=0"]
        subprocess.run(collect, cwd=PROJECT, env=environ, check=True)  # not ready without
        server = subprocess.Popen([*_GUNICORN], cwd=PROJECT, env=environ, stdout=sys.stderr)
        try:
            _wait(server, port)
            yield port
        finally:
            server.terminate()
            server.wait(60)


_GUNICORN = [
    *(sys.executable, "-m", "gunicorn", "--log-level", "warning"),
    *("--config", str(PROJECT / "config" / "gunicorn.py"), "config.wsgi:application"),
]


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
