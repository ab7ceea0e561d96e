"""The private PostgreSQL: its cluster made, started, watched and stopped.

One that was killed leaves things behind that keep the next one from starting: the dead process itself until somebody
collects it, its children with the memory they share, and two files that name it. All are put away here, and nothing
that belongs to a server that lives.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from config.embedded import paths, processes
from config.embedded.binaries import postgres_major, postgres_programs
from config.embedded.paths import StartError
from config.embedded.privileges import unprivileged_prefix

# One machine shared with the site itself. Planning with jit cost more than it saved on our queries.
PRODUCTION: Mapping[str, str] = {
    "max_connections": "200",
    "shared_buffers": "256MB",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    "max_wal_size": "2GB",
    "random_page_cost": "1.1",
    "jit": "off",
    "log_min_messages": "warning",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] ",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # How much there is to replay after a crash: the site answers again within seconds.
    "checkpoint_timeout": "2min",
}
_LEAVES_WITHIN = 10.0  # seconds


@dataclass(frozen=True)
class Postgres:
    """The PostgreSQL of one data folder, with the settings it gets at its next start."""

    data: Path
    settings: Mapping[str, str]

    @property
    def cluster(self) -> Path:
        """The folder of the cluster."""
        return paths.postgres_dir(self.data)

    @property
    def log(self) -> Path:
        """Where the server writes."""
        return paths.log_dir(self.data) / "postgresql.log"

    @property
    def name(self) -> str:
        """What its processes are called in lists of processes, to tell them from those of another folder."""
        return f"evenmatch-{hashlib.sha256(os.fsencode(self.cluster)).hexdigest()[:12]}"

    def pid(self) -> int | None:
        """The running server's process, or None: a number left by a crash does not count.

        Where nobody may see what works in the cluster, whoever answers on the socket is it.
        """
        pid = processes.noted(self._pid_file)
        if pid and processes.alive(pid) and self._is_ours(pid):
            return pid
        return processes.listener(paths.socket_dir(self.data) / f".s.PGSQL.{paths.POSTGRES_PORT}")

    @property
    def _pid_file(self) -> Path:
        return self.cluster / "postmaster.pid"

    def answers(self) -> bool:
        """Whether the server takes connections."""
        try:
            self._maintenance().close()
        except psycopg.OperationalError:
            return False
        return True

    def start(self) -> None:
        """Start the server, its cluster and database made first when missing, and wait for it."""
        programs = postgres_programs()
        ours = theirs = postgres_major(programs)
        with suppress(OSError, ValueError):
            theirs = int((self.cluster / "PG_VERSION").read_text())
        if theirs != ours:
            raise StartError(
                f"The cluster in {self.cluster} was made by PostgreSQL {theirs}, but PostgreSQL "
                f'{ours} is installed. See "Upgrading PostgreSQL" in docs/operators.md.'
            )
        sockets = paths.make_socket_dir(self.data)
        if not self.cluster.exists():
            self._make_cluster(programs)
        prefix = unprivileged_prefix([self.cluster, sockets], owned=self.cluster, programs=programs)
        self._put_away(sockets / f".s.PGSQL.{paths.POSTGRES_PORT}.lock")
        self._write_settings()
        self._run([*prefix, str(programs / "postgres"), "-D", str(self.cluster)])
        with self._maintenance() as connection:
            found = connection.execute(
                "SELECT 1 FROM pg_database WHERE datname = %s", [paths.DATABASE]
            )
            if found.fetchone() is None:
                name = sql.Identifier(paths.DATABASE)
                connection.execute(sql.SQL("CREATE DATABASE {}").format(name))

    def stop(self) -> None:
        """End the server cleanly: connections are cut, what was committed is on disk."""
        if pid := self.pid():
            processes.stop(pid, gently=signal.SIGINT, seconds=60)

    def _put_away(self, lock: Path) -> None:
        """End what is left of a server that was killed, and remove the files that name it.

        Its children hold the memory they shared until they end, and those that compute do not notice that they are
        alone. A number of a process that has ended, or is somebody else's by now, would keep the next server out.
        """
        for pid in self._children():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        processes.wait_until(lambda: not self._children(), seconds=_LEAVES_WITHIN)
        for file in (self._pid_file, lock):
            named = processes.noted(file)
            if (  # what cannot be known is left alone
                named is not None
                and processes.alive(named)
                and (self._is_ours(named) or not processes.command_line(named))
            ):
                continue
            file.unlink(missing_ok=True)

    def _children(self) -> list[int]:
        """Processes of a PostgreSQL that work in the cluster, or bear its name."""
        found = []
        for pid in processes.running():
            words = processes.command_line(pid)
            if words and "postgres" in words[0] and self._is_ours(pid) and processes.alive(pid):
                found.append(pid)
        return found

    def _is_ours(self, pid: int) -> bool:
        """Whether a process serves this cluster: it works in it, or says so where its folder is hidden from us."""
        folder = processes.working_folder(pid)
        if folder is not None:
            return folder == self.cluster.resolve()
        words = processes.command_line(pid)
        return bool(words) and (
            f"postgres: {self.name}:" in words[0] or os.fspath(self.cluster) in words
        )

    def _run(self, command: list[str]) -> None:
        """Start the server and wait for it; again where children that we cannot see are just about to end."""
        end = time.monotonic() + _LEAVES_WITHIN
        while True:
            written = self.log.stat().st_size if self.log.exists() else 0
            pid = processes.spawn(command, log=self.log)
            try:
                if processes.comes_up(pid, self.answers, seconds=120):
                    return
                with self.log.open("rb") as log:
                    log.seek(written if written <= self.log.stat().st_size else 0)
                    memory_is_in_use = b"shared memory block" in log.read()
                if not memory_is_in_use or time.monotonic() >= end:
                    raise StartError(
                        f"PostgreSQL does not start; the end of {self.log}:"
                        + processes.last_lines(self.log)
                    )
            except BaseException:
                processes.stop(pid, gently=signal.SIGINT, seconds=10)
                raise
            time.sleep(0.2)

    def _make_cluster(self, programs: Path) -> None:
        """Make the cluster under another name, so that one cut short is never taken for it."""
        new = self.cluster.with_name("postgresql.new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        if postgres_major(programs) < 17:  # the builtin provider came with 17
            locale = ["--locale=C.UTF-8"]
        options = ["--encoding=UTF8", "--username=evenmatch", "--auth=trust", "--no-instructions"]
        command = [str(programs / "initdb"), "-D", str(new), *locale, *options]
        prefix = unprivileged_prefix([new], owned=new, programs=programs)
        made = subprocess.run([*prefix, *command], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            lines = (made.stderr or made.stdout).strip().splitlines()[-5:]
            raise StartError(
                f"The database cluster could not be made in {new}:"
                + "".join(f"\n  {line}" for line in lines)
            )
        new.rename(self.cluster)

    def _write_settings(self) -> None:
        """Write our settings beside the operator's postgresql.conf, which wins over them."""
        sockets = str(paths.socket_dir(self.data))
        settings = {
            "listen_addresses": "",
            "port": str(paths.POSTGRES_PORT),
            "unix_socket_directories": '"' + sockets.replace('"', '""') + '"',
            "unix_socket_permissions": "0700",
            "cluster_name": self.name,
            **self.settings,
        }
        lines = [
            f"{name} = '{value.replace(chr(39), chr(39) * 2)}'" for name, value in settings.items()
        ]
        text = "# Written at each start; put your own settings below the include.\n"
        (self.cluster / "evenmatch.conf").write_text(text + "\n".join(lines) + "\n", "utf-8")
        own = self.cluster / "postgresql.conf"
        include = "include_if_exists = 'evenmatch.conf'"
        if include not in own.read_text("utf-8"):
            with own.open("a", encoding="utf-8") as stream:
                stream.write(f"\n{include}\n")

    def _maintenance(self) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(
            host=str(paths.socket_dir(self.data)),
            port=paths.POSTGRES_PORT,
            user="evenmatch",
            dbname="postgres",
            autocommit=True,
            connect_timeout=30,
        )
