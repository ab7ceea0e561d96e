"""The private PostgreSQL: its cluster made, started, watched and stopped."""

import shutil
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from config.embedded import paths, processes
from config.embedded.binaries import postgres_major, postgres_programs
from config.embedded.errors import StartError
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
}
# A cluster that is deleted afterwards need not survive a power cut.
THROWAWAY: Mapping[str, str] = {
    **PRODUCTION,
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_wal_size": "1GB",
}


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

    def pid(self) -> int | None:
        """The running server's process, or None: a number left by a crash does not count."""
        try:
            pid = int((self.cluster / "postmaster.pid").read_text().split("\n")[0])
        except (OSError, ValueError):
            return None
        ours = processes.working_folder(pid) == self.cluster.resolve()
        return pid if ours and processes.alive(pid) else None

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
        self._check_version(postgres_major(programs))
        sockets = paths.make_socket_dir(self.data)
        if not self.cluster.exists():
            self._make_cluster(programs)
        prefix = unprivileged_prefix([self.cluster, sockets], owned=self.cluster, programs=programs)
        (self.cluster / "postmaster.pid").unlink(missing_ok=True)  # stale: pid() found no server
        self._write_settings()
        self._run([*prefix, str(programs / "postgres"), "-D", str(self.cluster)])
        self._make_database()

    def stop(self) -> None:
        """End the server cleanly: connections are cut, what was committed is on disk."""
        if pid := self.pid():
            processes.stop(pid, gently=signal.SIGINT, seconds=60)

    def _run(self, command: list[str]) -> None:
        pid = processes.spawn(command, log=self.log)
        try:
            if not processes.comes_up(pid, self.answers, seconds=120):
                raise StartError(
                    f"PostgreSQL does not start; the end of {self.log}:"
                    + processes.last_lines(self.log)
                )
        except BaseException:
            processes.stop(pid, gently=signal.SIGINT, seconds=10)
            raise

    def _check_version(self, ours: int) -> None:
        try:
            theirs = int((self.cluster / "PG_VERSION").read_text())
        except (OSError, ValueError):
            return
        if theirs != ours:
            raise StartError(
                f"The cluster in {self.cluster} was made by PostgreSQL {theirs}, but PostgreSQL "
                f'{ours} is installed. See "Upgrading PostgreSQL" in docs/operators.md.'
            )

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

    def _make_database(self) -> None:
        with self._maintenance() as connection:
            found = connection.execute(
                "SELECT 1 FROM pg_database WHERE datname = %s", [paths.DATABASE]
            )
            if found.fetchone() is None:
                name = sql.Identifier(paths.DATABASE)
                connection.execute(sql.SQL("CREATE DATABASE {}").format(name))

    def _maintenance(self) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(
            host=str(paths.socket_dir(self.data)),
            port=paths.POSTGRES_PORT,
            user="evenmatch",
            dbname="postgres",
            autocommit=True,
            connect_timeout=30,
        )
