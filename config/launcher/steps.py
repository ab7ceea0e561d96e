"""What happens between the servers' start and the site's: versions, tables, static files."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import psycopg
import redis

from config.embedded.binaries import checked_major
from config.embedded.errors import StartError
from config.embedded.paths import PROJECT, run_dir
from foundation.shared_counts import reserve

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


def migrate(environ: Mapping[str, str]) -> None:
    """Bring the tables up to date."""
    manage(["migrate", "--no-input"], environ)


def make_demo_season(environ: Mapping[str, str]) -> None:
    """Have simulated players with a season behind them; leaves them alone where they are."""
    manage(["demo_season"], environ)


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
    """Collect, hash and compress the static files, and note what they were made of."""
    unused = [word for folder in _UNUSED for word in ("--ignore", folder)]
    manage(["collectstatic", "--no-input", "--clear", *unused], environ)
    _static_stamp(data).write_text(_static_digest())


def manage(arguments: list[str], environ: Mapping[str, str]) -> None:
    """Run a management command; a StartError with its last lines when it fails."""
    command = [sys.executable, str(PROJECT / "manage.py"), *arguments]
    done = subprocess.run(
        command,
        cwd=PROJECT,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        lines = (done.stdout + done.stderr).strip().splitlines()[-8:]
        raise StartError(
            f"manage.py {arguments[0]} failed:" + "".join(f"\n  {line}" for line in lines)
        )


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
