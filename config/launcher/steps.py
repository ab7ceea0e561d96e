"""What happens between the servers' start and the site's: versions, tables, static files."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psycopg
import redis

from config.embedded.binaries import checked_major
from config.embedded.paths import PROJECT, StartError, run_dir
from foundation.metric_storage import reserve

# What packages bring for pages that we do not have: nobody asks for it, and all would be hashed and compressed.
_UNUSED = ("redoc", "rest_framework")


def check_servers(database_url: str, redis_url: str) -> None:
    """Raise a StartError unless both answer and PostgreSQL is new enough."""
    try:
        with psycopg.connect(database_url, connect_timeout=30) as connection:
            checked_major(connection.info.server_version // 10000, where="the one of DATABASE_URL")
    except psycopg.Error as error:
        raise StartError(f"PostgreSQL does not answer: {_one_line(error)}") from error
    try:
        with redis.Redis.from_url(redis_url, socket_connect_timeout=30) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        raise StartError(f"Valkey does not answer: {_one_line(error)}") from error


def tables_are_current(data: Path, database_url: str) -> bool:
    """Whether the tables are as this very code left them: then a start after a crash need not load all of it first."""
    stamp = _tables_stamp(data)
    try:
        return stamp.exists() and stamp.read_text() == _tables_digest(database_url)
    except psycopg.Error:  # no tables, or a server that does not say which it is
        return False


def note_current_tables(data: Path, database_url: str) -> None:
    """Note that the tables have just been brought up to date."""
    with suppress(psycopg.Error):
        _tables_stamp(data).write_text(_tables_digest(database_url))


def demo_season_is_made(database_url: str) -> bool:
    """Whether the simulated players are there, of the league and of the shooter; each is made whole or not at all."""
    asked = (
        "SELECT count(DISTINCT player.game_id) > 1 FROM demo_simulatedplayer AS simulated"
        " JOIN ratings_player AS player ON player.id = simulated.player_id"
    )
    with psycopg.connect(database_url) as session:
        return session.execute(asked).fetchone() == (True,)


def clear_metrics(folder: Path) -> None:
    """Begin the counters that the processes share anew, as each process would on its own."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    reserve(folder, "ended")


def static_files_changed(data: Path) -> bool:
    """Whether the collected static files are older than what they are made of."""
    stamp = _static_stamp(data)
    return not stamp.exists() or stamp.read_text() != _static_digest()


def collect_static(data: Path, environ: Mapping[str, str]) -> None:
    """Collect, hash and compress the static files, and note what they were made of.

    Those of the release before stay: it may still run, and its pages name them.
    """
    unused = [word for folder in _UNUSED for word in ("--ignore", folder)]
    manage(["collectstatic", "--no-input", *unused], environ)
    _static_stamp(data).write_text(_static_digest())


def manage(arguments: list[str], environ: Mapping[str, str]) -> None:
    """Run a management command; a StartError with its last lines when it fails."""
    command = [sys.executable, str(PROJECT / "manage.py"), *arguments]
    with subprocess.Popen(
        command,
        cwd=PROJECT,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            printed, complained = process.communicate()
        except BaseException:
            # It uses the servers as well: while it lives they are not stopped, and it would not stop them any more.
            process.kill()
            process.wait()
            raise
    if process.returncode != 0:
        lines = (printed + complained).strip().splitlines()[-8:]
        raise StartError(
            f"manage.py {arguments[0]} failed:" + "".join(f"\n  {line}" for line in lines)
        )


def _tables_stamp(data: Path) -> Path:
    return run_dir(data) / "tables"


def _tables_digest(database_url: str) -> str:
    """Digest of all migrations there are, of the installed packages, and of what the database says it has had.

    Also of which cluster that is: a dump restored into another one has to be looked after, as `migrate` does.
    """
    digest = hashlib.sha256((PROJECT / "requirements.txt").read_bytes())
    for path in sorted(PROJECT.glob("*/migrations/*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    with psycopg.connect(database_url) as session:
        cluster = session.execute("SELECT system_identifier FROM pg_control_system()").fetchone()
        digest.update(repr(cluster).encode())
        for row in session.execute("SELECT app, name, applied FROM django_migrations ORDER BY id"):
            digest.update(repr(row).encode())
    return digest.hexdigest()


def _static_stamp(data: Path) -> Path:
    return run_dir(data) / "static-files"


def _static_digest() -> str:
    """Digest of names, sizes and times of all static files, and of the installed packages."""
    digest = hashlib.sha256((PROJECT / "requirements.txt").read_bytes())
    for folder in sorted([PROJECT / "static", *PROJECT.glob("*/static")]):
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            facts = path.stat()
            name = path.relative_to(PROJECT)
            digest.update(f"{name} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
