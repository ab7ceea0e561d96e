"""The servers of a data folder, shared by all that use it at the same time.

Whoever comes first starts them, whoever leaves last stops them. Each user holds a shared lock on
`run/in-use`; starting and stopping happens under `run/turn`. Locks end with their holders: after a
crash the next user finds the servers running, or starts them, and stops them when it leaves.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from config.embedded import paths
from config.embedded.commands import refuse_what_moved
from config.embedded.locks import FileLock, alone
from config.embedded.paths import StartError
from config.embedded.postgres import PRODUCTION, Postgres
from config.embedded.processes import wait_until
from config.embedded.valkey import Valkey

HELD_UP = 30.0  # seconds without an answer that are no reason to restart a server under its users
Report = Callable[[str], AbstractContextManager[None]]


def quietly(_name: str) -> AbstractContextManager[None]:
    """Report nothing."""
    return nullcontext()


def prepare_folder(data: Path) -> None:
    """Make the data folder, private to its owner; a StartError where it cannot be written."""
    try:
        if not data.exists():
            data.mkdir(parents=True)
            data.chmod(0o711)  # a PostgreSQL of another user passes through, and reads nothing
        for folder in (paths.run_dir(data), paths.log_dir(data)):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o700)
        probe = paths.run_dir(data) / f"probe-{id(data)}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise StartError(
            f"Cannot write to the data folder {data}: {error.strerror}. "
            "Choose another with --data-dir or EVENMATCH_DATA_DIR."
        ) from error


def _has_settled(server: Postgres | Valkey) -> bool:
    """Whether it answers, or has ended: one that is stopping was told to by somebody who has been killed meanwhile."""
    return server.answers() or not server.pid()


@dataclass
class Servers:
    """Which private servers are wanted on a data folder, and their settings."""

    data: Path
    postgres: bool = True
    valkey: bool = True
    settings: Mapping[str, str] = field(default_factory=lambda: PRODUCTION)
    although_moved: bool = False  # for whoever brings the site back to where it was moved from

    @classmethod
    def wanted(cls, data: Path, environ: Mapping[str, str]) -> "Servers":
        """Those whose address the environment does not give."""
        return cls(
            data,
            postgres=not environ.get("DATABASE_URL"),
            valkey=not environ.get("REDIS_URL"),
        )

    def fallen(self) -> str:
        """The name of a server that no longer runs; empty while all do."""
        return next((name for name, server in self._all() if not server.pid()), "")

    def start_again(self) -> None:
        """Start those that have ended, for a user who holds them in use."""
        with alone(self._turn):
            self._start(quietly)

    def logs(self) -> list[Path]:
        """The log files of those wanted."""
        return [server.log for _, server in self._all()]

    @contextmanager
    def in_use(self, report: Report = quietly) -> Iterator["Servers"]:
        """Have them running for the length of the block; `report(name)` surrounds each start."""
        if self.postgres and not self.although_moved:
            refuse_what_moved(self.data)
        prepare_folder(self.data)
        use = FileLock(paths.run_dir(self.data) / "in-use")
        try:
            with alone(self._turn):
                use.share()
                try:
                    self._start(report)
                except BaseException:
                    self._stop_unless_used(use)
                    raise
            try:
                yield self
            finally:
                with alone(self._turn):
                    self._stop_unless_used(use)
        finally:
            use.close()

    @property
    def _turn(self) -> Path:
        return paths.run_dir(self.data) / "turn"

    def _all(self) -> list[tuple[str, Postgres | Valkey]]:
        every: list[tuple[bool, str, Postgres | Valkey]] = [
            (self.postgres, "PostgreSQL", Postgres(self.data, self.settings)),
            (self.valkey, "Valkey", Valkey(self.data)),
        ]
        return [(name, server) for chosen, name, server in every if chosen]

    def _start(self, report: Report) -> None:
        for name, server in self._all():
            with report(name):
                wait_until(partial(_has_settled, server), seconds=HELD_UP)
                if not (server.pid() and server.answers()):
                    server.stop()  # one that runs and does not answer
                    server.start()

    def _stop_unless_used(self, use: FileLock) -> None:
        """Stop them if no other user is left; also those another user wanted and we did not."""
        if use.try_alone():
            Valkey(self.data).stop()
            Postgres(self.data, self.settings).stop()
            if paths.socket_dir(self.data) != paths.run_dir(self.data):
                with suppress(OSError):
                    paths.socket_dir(self.data).rmdir()
