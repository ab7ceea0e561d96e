"""The machine with the servers: python -m tests.under_fire.machines.servers FOLDER, until standard input closes."""

import subprocess
import sys
from pathlib import Path

import psycopg

from config.embedded import paths
from config.embedded.binaries import valkey_program
from config.embedded.postgres import PRODUCTION, Postgres
from tests.under_fire.machines.network import address_of

POSTGRES_PORT, VALKEY_PORT = 5432, 6379


def main(folder: Path) -> None:
    """Start PostgreSQL, which also answers on its socket, and Valkey; say "ready"."""
    settings = {**PRODUCTION, "listen_addresses": address_of("data"), "port": str(POSTGRES_PORT)}
    # A session whose other end went silent is ended, so that what it holds comes free.
    settings |= {"tcp_keepalives_idle": "5", "tcp_keepalives_interval": "5"}
    settings |= {"tcp_keepalives_count": "2", "tcp_user_timeout": "15s"}
    postgres = Postgres(folder, settings)
    postgres.start()
    with (postgres.cluster / "pg_hba.conf").open("a", encoding="utf-8") as access:
        access.write("host all all 10.77.0.0/24 trust\n")
    with psycopg.connect(paths.database_url(folder), autocommit=True) as session:
        session.execute("SELECT pg_reload_conf()")
    command = [str(valkey_program()), "--port", str(VALKEY_PORT), "--bind", address_of("data")]
    with subprocess.Popen([*command, "--protected-mode", "no", "--save", ""]) as valkey:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.read()
        valkey.terminate()
    postgres.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
