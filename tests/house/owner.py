"""Prints as whom the private PostgreSQL of a data folder runs: `python -m tests.house.owner DATA`."""

import sys
from pathlib import Path

import psutil

from config.embedded.errors import StartError
from config.embedded.postgres import THROWAWAY, Postgres
from config.embedded.servers import Servers


def main(data: Path) -> None:
    """Start it, look, stop it."""
    try:
        with Servers(data, valkey=False, settings=THROWAWAY).in_use():
            pid = Postgres(data, THROWAWAY).pid()
            sys.stdout.write(f"{psutil.Process(pid).uids().effective}\n")
    except StartError as error:
        sys.stdout.write("refused\n" if "cannot reach" in str(error) else f"{error}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
