"""The programs of PostgreSQL that write and read dumps, and the address of the database as they take it."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from django.db import connection

from config.embedded.binaries import postgres_folders
from config.embedded.paths import StartError

__all__ = ["address", "dumping_programs", "environment", "restoring_programs"]


def dumping_programs(server_major: int) -> Path:
    """The folder with the oldest pg_dump that reads such a server: what it writes, most others can restore."""
    fit = {
        major: folder for major, folder in _installed("pg_dump").items() if major >= server_major
    }
    if not fit:
        raise StartError(
            f"No pg_dump for PostgreSQL {server_major} was found. Install its client programs "
            f"(on Debian: apt install postgresql-client-{server_major})."
        )
    return fit[min(fit)]


def restoring_programs() -> Path:
    """The folder with the newest pg_restore and psql: they read what older ones wrote, and speak to older servers."""
    found = _installed("pg_restore")
    if not found:
        raise StartError(
            "No pg_restore and psql were found. Install the client programs of PostgreSQL "
            "(on Debian: apt install postgresql-client)."
        )
    return found[max(found)]


def _installed(program: str) -> dict[int, Path]:
    """Folders with this program and psql, by major version; those that we bring win."""
    found: dict[int, Path] = {}
    for folder in postgres_folders():
        if all((folder / name).is_file() for name in (program, "psql")):
            words = subprocess.run(
                [str(folder / program), "--version"], capture_output=True, text=True, check=False
            ).stdout
            if number := re.search(r"(\d+)", words):
                found.setdefault(int(number[1]), folder)
    return found


def address() -> list[str]:
    """Options that lead pg_dump and psql to the database of the settings."""
    command, _ = connection.client.settings_to_cmd_args_env(connection.settings_dict, [])
    return [str(word) for word in command[1:]]


def environment() -> Mapping[str, str]:
    """The environment for them: the password is not for other users' eyes, as options are."""
    _, own = connection.client.settings_to_cmd_args_env(connection.settings_dict, [])
    return {**os.environ, **(own or {})}
