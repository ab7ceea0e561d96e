"""The processes of one release on one machine of several: web, workers, and on one of them the timer."""

import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from config.embedded.processes import wait_until
from tests.house.site import PATIENCE, environment
from tests.under_fire.upgraded.releases import Release

__all__ = ["Group"]

_STOPS_WITHIN = (
    60.0  # seconds: the web server gives requests under way 20, workers end what they do
)


@dataclass
class Group:
    """The processes on one machine, with a data folder of their own and servers shared with the other.

    shared     what is set the same on all: servers, public address, secret key
    has_timer  whether it is the one that wakes the workers
    """

    name: str
    folder: Path
    port: int
    shared: Mapping[str, str]
    has_timer: bool
    _running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        (self.folder / "metrics").mkdir(parents=True)

    @property
    def address(self) -> str:
        """Where its web server listens."""
        return f"127.0.0.1:{self.port}"

    def environ(self) -> dict[str, str]:
        """What docs/operators.md tells to set on each machine."""
        return {
            **self.shared,
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "EVENMATCH_PORT": str(self.port),
            "EVENMATCH_DATA_DIR": str(self.folder),
            "PROMETHEUS_MULTIPROC_DIR": str(self.folder / "metrics"),
        }

    def start(self, release: Release) -> None:
        """Collect the static files of a release and start its processes. Raises RuntimeError where that fails."""
        release.manage("collectstatic", "--no-input", "-v0", environ=self.environ())
        celery = [release.program("celery"), "-A", "config.celery"]
        commands = {
            "web": [
                release.program("gunicorn"), "--config", "config/gunicorn.py", "config.wsgi:application",
            ],
        }  # fmt: skip
        for queue in ("ratings", "matchmaking"):
            commands[queue] = [
                *celery, "worker", "--queues", queue, "--hostname", f"{queue}@{self.name}",
                "--concurrency", "1", "--without-gossip", "--without-mingle",
            ]  # fmt: skip
        if self.has_timer:
            commands["beat"] = [*celery, "beat", "--schedule", str(self.folder / "beat-schedule")]
        for name, command in commands.items():
            with (self.folder / f"{name}.log").open("ab") as log:
                self._running[name] = subprocess.Popen(
                    command,
                    cwd=release.folder,
                    env=environment(**self.environ()),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
        if not wait_until(self.is_ready, seconds=PATIENCE, every=0.25):
            raise RuntimeError(f"{self.name} is not ready:\n{self.last_words()}")

    def is_ready(self) -> bool:
        """Whether its web server says that it can serve."""
        try:
            url = f"http://{self.address}/health/ready"
            return httpx.get(url, timeout=10.0, trust_env=False).is_success
        except httpx.TransportError:
            return False

    def ended(self) -> list[str]:
        """Which of its processes have ended by themselves."""
        return [name for name, process in self._running.items() if process.poll() is not None]

    def stop(self) -> list[str]:
        """Stop all as a supervisor does; gives those that had to be killed."""
        for process in self._running.values():
            process.send_signal(signal.SIGTERM)
        killed = []
        for name, process in self._running.items():
            try:
                process.wait(_STOPS_WITHIN)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                killed.append(name)
        self._running.clear()
        return killed

    def last_words(self) -> str:
        """The ends of its logs."""
        logs = sorted(self.folder.glob("*.log"))
        return "\n".join(f"{log.name}: {log.read_text('utf-8')[-1500:]}" for log in logs)
