"""The site on its machines: servers on one, web processes on another, workers and timer on a third."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from config.embedded.paths import DATABASE, PROJECT
from tests.house.site import environment
from tests.under_fire.machines.network import address_of, inside
from tests.under_fire.machines.servers import POSTGRES_PORT, VALKEY_PORT

__all__ = ["URL", "Service", "site_on_machines"]

_WEB_PORT = 8000
URL = f"http://{address_of('web')}:{_WEB_PORT}"
_BIN = Path(sys.executable).parent
_CELERY = [str(_BIN / "celery"), "-A", "config.celery"]
_QUIET = ["--without-gossip", "--without-mingle"]


class Service(threading.Thread):
    """One process on one machine, started again whenever it ends, as a supervisor would. `starts`: how often."""

    def __init__(self, host: str, command: list[str], env: Mapping[str, str], log: Path) -> None:
        super().__init__(name=command[-1], daemon=True)
        self.starts = 0
        self._command, self._env, self._log = [*inside(host), *command], dict(env), log
        self._ended = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        """Keep it running until told to end."""
        with self._log.open("ab") as log:
            while not self._ended.is_set():
                self.starts += 1
                self._process = subprocess.Popen(
                    self._command, env=self._env, cwd=PROJECT, stdout=log, stderr=log
                )
                self._process.wait()
                self._ended.wait(1.0)

    def end(self) -> None:
        """Stop it, and start it no more."""
        self._ended.set()
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self.join()


@contextmanager
def site_on_machines(folder: Path) -> Iterator[list[Service]]:
    """Start the servers, make the tables, start everything else; all ended after the block."""
    data = folder / "data"
    data.mkdir()
    command = [sys.executable, "-m", "tests.under_fire.machines.servers", str(data)]
    with subprocess.Popen(
        [*inside("data"), *command],
        env=environment(),
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as servers:
        assert servers.stdout is not None
        if servers.stdout.readline() != "ready\n":
            raise RuntimeError("the servers did not start")
        services: list[Service] = []
        try:
            web, work = _environment(folder / "web"), _environment(folder / "work")
            for step in (["migrate", "-v0"], ["collectstatic", "--no-input", "-v0"]):
                manage = [*inside("web"), sys.executable, "manage.py", *step]
                subprocess.run(manage, env=web, cwd=PROJECT, check=True)
            gunicorn = [str(_BIN / "gunicorn"), "--config", "config/gunicorn.py", "config.wsgi"]
            services.append(Service("web", gunicorn, web, folder / "web.log"))
            workers = {"ratings": 1, "matchmaking": 2}
            for queue, number in workers.items():
                for place in range(number):
                    name = f"{queue}{place}@work"
                    worker = [*_CELERY, "worker", "--queues", queue, "--concurrency", "1"]
                    worker += ["--hostname", name, *_QUIET]
                    services.append(Service("work", worker, work, folder / f"{queue}{place}.log"))
            beat = [*_CELERY, "beat", "--schedule", str(folder / "beat-schedule")]
            services.append(Service("work", beat, work, folder / "beat.log"))
            for service in services:
                service.start()
            yield services
        finally:
            for service in services:
                service.end()
            assert servers.stdin is not None
            servers.stdin.close()


def _environment(data: Path) -> dict[str, str]:
    """What docs/operators.md tells to set on each machine."""
    metrics = data / "metrics"
    metrics.mkdir(parents=True)
    server = address_of("data")
    return environment(
        DATABASE_URL=f"postgresql://evenmatch@{server}:{POSTGRES_PORT}/{DATABASE}",
        REDIS_URL=f"redis://{server}:{VALKEY_PORT}/0",
        EVENMATCH_PUBLIC_URL=URL,
        EVENMATCH_BIND=address_of("web"),
        EVENMATCH_PORT=str(_WEB_PORT),
        EVENMATCH_WEB_PROCESSES="2",
        EVENMATCH_DATA_DIR=str(data),
        EVENMATCH_SECRET_KEY="of a trial, and of no use elsewhere " * 2,
        PROMETHEUS_MULTIPROC_DIR=str(metrics),
        DJANGO_SETTINGS_MODULE="config.settings.production",
        PATH=os.environ["PATH"],
    )
