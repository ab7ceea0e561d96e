"""Prints the user that the private PostgreSQL of a data folder runs as.

`python -m tests.house.installation.owner DATA [--kill]`. With `--kill` it is killed first, after a second user
has come who must find it, and is to be there again.
"""

import os
import signal
import sys
from pathlib import Path

import psutil

from config.embedded.paths import StartError, postgres_dir
from config.embedded.postgres import Postgres
from config.embedded.processes import wait_until
from config.embedded.servers import Servers
from tests.throwaway import THROWAWAY


def main(data: Path, *, kill: bool) -> None:
    """Start it, look, stop it."""
    try:
        with Servers(data, valkey=False, settings=THROWAWAY).in_use() as servers:
            if kill:
                _kill(servers)
            pid = Postgres(data, THROWAWAY).pid()
            sys.stdout.write(f"{psutil.Process(pid).uids().effective}\n")
    except StartError as error:
        sys.stdout.write("refused\n" if "cannot reach" in str(error) else f"{error}\n")


def _kill(servers: Servers) -> None:
    """Kill it, once a second user has found it, and have it started again."""
    postgres = Postgres(servers.data, servers.settings)
    before = postgres.pid()
    with Servers(servers.data, valkey=False, settings=THROWAWAY).in_use():
        pass
    if before is None or postgres.pid() != before:
        raise RuntimeError(f"PostgreSQL was process {before}, and is {postgres.pid()} now")
    if str(before) not in (postgres_dir(servers.data) / "postmaster.pid").read_text():
        raise RuntimeError("the file that names a living server was taken from it")
    os.kill(before, signal.SIGKILL)
    if not wait_until(lambda: servers.fallen() == "PostgreSQL", seconds=60):
        raise RuntimeError("nobody noticed")
    servers.start_again()


if __name__ == "__main__":
    main(Path(sys.argv[1]), kill="--kill" in sys.argv)
