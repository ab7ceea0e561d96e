"""`manage.py move`: the site goes to servers of your own, or back to those of the data folder."""

import os
from argparse import ArgumentParser
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import redis
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.backup.manifest import BadBackupError
from config.backup.move import move, plain_address
from config.embedded.commands import note_moved
from config.embedded.locks import FileLock
from config.embedded.paths import StartError, database_url, run_dir
from config.embedded.servers import Servers
from config.settings.environment import check_settings


class Command(BaseCommand):
    """See docs/installing.md, "Servers of your own"."""

    help = (
        "Move everything to a PostgreSQL (and Valkey) of your own, or back to those of the data folder. "
        "The site must be stopped; what it has now is only read, and stays."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument(
            "--database", metavar="URL", help="such as postgresql://user:password@host/name"
        )
        where.add_argument(
            "--embedded", action="store_true", help="back to the servers of the data folder"
        )
        parser.add_argument(
            "--redis",
            metavar="URL",
            help="such as redis://host:6379/0; looked at, nothing is moved",
        )
        parser.add_argument(
            "--replace", action="store_true", help="although a site is there, which is then gone"
        )

    def handle(self, **options: Any) -> None:
        given = {"DATABASE_URL": options["database"] or "", "REDIS_URL": options["redis"] or ""}
        if options["embedded"] and options["redis"]:
            raise CommandError("--embedded goes back to the Valkey of the data folder: no --redis.")
        lock = FileLock(run_dir(settings.DATA_DIR) / "site.pid")
        try:
            check_settings(given)
            if not lock.try_alone():
                raise CommandError("Evenmatch runs on this data folder. Stop it first.")
            if options["redis"]:
                _try_valkey(options["redis"])
            servers: AbstractContextManager[object] = nullcontext()
            into = options["database"]
            if options["embedded"]:
                into = database_url(settings.DATA_DIR)
                servers = Servers(settings.DATA_DIR, valkey=False, although_moved=True).in_use()
            with servers:
                manifest = move(into, replace=options["replace"])
            note_moved(settings.DATA_DIR, "" if options["embedded"] else plain_address(into))
        except (BadBackupError, StartError, OSError) as error:
            raise CommandError(f"Nothing was moved. {error}") from error
        finally:
            lock.close()
        rows = sum(table.rows for table in manifest.tables.values())
        self.stdout.write(
            f"Moved {rows:,} rows of {len(manifest.tables)} tables, each counted and hashed on both sides."
        )
        self.stdout.write(_what_to_set(**{**options, "database": plain_address(into)}))


def _what_to_set(*, database: str, redis: str | None, embedded: bool, **_: Any) -> str:
    if embedded:
        set_now = [name for name in ("DATABASE_URL", "REDIS_URL") if os.environ.get(name)]
        return (
            f"Now take {' and '.join(set_now)} out of evenmatch.toml or the environment, and start with bin/run. "
            "The database that the site came from is left as it was."
        )
    lines = [f'  database_url = "{database}"']
    lines += [f'  redis_url = "{plain_address(redis)}"'] if redis else []
    return "\n".join(
        [
            "Now say so in evenmatch.toml, with the password, and start the site:",
            *lines,
            "What the data folder held before is left as it was; bin/run does not start on it any more.",
        ]
    )


def _try_valkey(url: str) -> None:
    """Write, read and delete one value. Nothing is moved: what there is, wake-ups and caches, is made anew."""
    try:
        with redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5) as client:
            client.set("evenmatch:move", "1", px=10_000)
            if client.get("evenmatch:move") != b"1":
                raise CommandError(f"{plain_address(url)} does not keep what is written to it.")
            client.delete("evenmatch:move")
    except (redis.RedisError, ValueError) as error:
        raise CommandError(f"{plain_address(url)} does not answer: {error}") from error
